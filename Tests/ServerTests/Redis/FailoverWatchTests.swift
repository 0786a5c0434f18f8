import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct FailoverWatchTests {
  private final class World {
    var completions: [(Result<any Connection, ConnectError>) -> Void] = []
    var failovers = 0
  }

  private let clock = ManualTimers()
  private let world = World()
  private let watch: FailoverWatch

  init() throws {
    let world = world
    watch = try #require(
      FailoverWatch(
        of: try RedisAddress("redis+sentinel://a,b/main"), timers: clock,
        connect: { _, completion in
          world.completions.append(completion)
          return {}
        }, onFailover: { world.failovers += 1 }))
  }

  private func connect() throws -> ConnectionMock {
    try #require(!world.completions.isEmpty)
    let connection = ConnectionMock()
    world.completions.removeFirst()(.success(connection))
    #expect(String(decoding: connection.sent, as: UTF8.self).contains("SUBSCRIBE"))
    return connection
  }

  private func message(_ text: String) -> String {
    "*3\r\n$7\r\nmessage\r\n$13\r\n+try-failover\r\n$\(text.utf8.count)\r\n\(text)\r\n"
  }

  @Test func `each Sentinel can tell that it replaces the primary`() throws {
    let sentinels = [try connect(), try connect()]
    for sentinel in sentinels {
      sentinel.receive("*3\r\n$9\r\nsubscribe\r\n$13\r\n+try-failover\r\n:1\r\n")
    }
    #expect(world.failovers == 0)
    sentinels[1].receive(message("master main 10.0.0.1 6379"))
    #expect(world.failovers == 1)
  }

  @Test func `a Sentinel with a password gets it first`() throws {
    let world = World()
    let watch = FailoverWatch(
      of: try RedisAddress("redis+sentinel://a/main?sentinel-user=ann&sentinel-password=s"),
      timers: clock,
      connect: { _, completion in
        world.completions.append(completion)
        return {}
      }, onFailover: { world.failovers += 1 })
    let connection = ConnectionMock()
    world.completions.removeFirst()(.success(connection))
    let login = "*3\r\n$4\r\nAUTH\r\n$3\r\nann\r\n$1\r\ns\r\n"
    let sent = String(decoding: connection.sent, as: UTF8.self)
    #expect(sent.hasPrefix(login + "*2\r\n$9\r\nSUBSCRIBE\r\n"))
    connection.receive("+OK\r\n" + message("master main 10.0.0.1 6379"))
    #expect(world.failovers == 1)
    withExtendedLifetime(watch) {}
  }

  @Test func `the primary of somebody else does not matter`() throws {
    try connect().receive(message("master other 10.0.0.1 6379"))
    #expect(world.failovers == 0)
  }

  @Test func `a connection that ends, or is not made, is made again`() throws {
    let first = try connect()
    world.completions.removeFirst()(.failure(.timedOut))
    #expect(world.completions.isEmpty)
    first.delegate?.connectionDidEnd(first, with: .inputEnded)
    clock.advance(by: FailoverWatch.retryDelay)
    #expect(world.completions.count == 2)
    try connect().receive(message("master main 10.0.0.1 6379"))
    #expect(world.failovers == 1)
  }

  @Test func `without Sentinels there is nothing to hear`() throws {
    let address = try RedisAddress("redis://a:6379")
    let none = FailoverWatch(of: address, timers: clock, connect: { _, _ in {} }) {}
    #expect(none == nil)
  }

  @Test func `writes stop, and then the next primary is looked for`() {
    for reply in [RedisReply.status("OK"), .error("NOPERM")] {
      let engine = ManualRedis()
      FailoverWatch.stopWriting(to: engine)
      #expect(engine.requests.first?.commands == [["CLIENT", "PAUSE", "3000", "WRITE"]])
      #expect(engine.reconnections == 0)
      engine.answer { _ in reply }
      #expect(engine.reconnections == 1)
    }
  }
}
