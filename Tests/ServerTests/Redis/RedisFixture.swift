import Shared
import TestSupport
import Testing

@testable import Server

/// A real engine, and connections to it with the rights of a node.
final class RedisFixture {
  let redis: RedisServer
  let loop: EventLoop

  init() throws {
    redis = try RedisServer.withUsers()
    loop = try EventLoop()
  }

  /// Returns a connection that is open.
  func link() throws -> RedisLink {
    let link = RedisLink(
      try RedisAddress(redis.nodeURL), replicas: 0, loop: loop,
      random: RandomSource())
    link.start()
    try wait { link.isConnected }
    return link
  }

  /// Turns the loop until something is true. It gives up after a minute.
  func wait(until isDone: () -> Bool) throws {
    let end = loop.preciseNow + .seconds(60)
    while !isDone() {
      try #require(loop.preciseNow < end)
      try loop.turn(wait: .milliseconds(5))
    }
  }

  /// Returns the answer that `ask` gets.
  func answer<Answer>(_ ask: (@escaping (Answer) -> Void) -> Void) throws -> Answer {
    var answer: Answer?
    ask { answer = $0 }
    try wait { answer != nil }
    return try #require(answer)
  }
}
