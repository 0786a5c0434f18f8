import Foundation
import Shared

/// Asks the engine of a cluster for a tool, one request after the other.
final class RedisReader {
  /// How long the engine may take to accept a connection.
  static let timeout: Duration = .seconds(10)

  private let address: RedisAddress
  let loop: EventLoop
  private let link: RedisLink
  /// Why the last connection has ended, or could not be made.
  private var failure: StartError

  /// Connects to the primary.
  ///
  /// - Throws: a sentence for people if that takes longer than `limit`, or the engine refuses the
  ///   log-in.
  init(_ address: RedisAddress, within limit: Duration = timeout) throws {
    try address.checkFiles()
    signal(SIGPIPE, SIG_IGN)
    self.address = address
    loop = try EventLoop()
    link = RedisLink(
      address, replicas: 0, loop: loop, random: RandomSource(SecureRandomNumberGenerator()))
    failure = StartError.silentEngine(address)
    var refusal: StartError?
    link.onDisconnect = { [unowned self] reason in
      failure = StartError.engine(address, failedBecause: reason)
      if RedisLink.isRefusal(reason) { refusal = failure }
    }
    link.start()
    let end = loop.preciseNow + limit
    while !link.isConnected {
      if let refusal { throw refusal }
      guard loop.preciseNow < end else { throw failure }
      try loop.turn(wait: .milliseconds(50))
    }
  }

  deinit { link.stop() }

  var isConnected: Bool { link.isConnected }

  /// Returns one reply for each command.
  ///
  /// - Throws: a sentence for people if the connection ends before the last reply, or the engine
  ///   refuses a command.
  func replies(to commands: RedisCommands) throws -> [RedisReply] {
    var result: [RedisReply]??
    link.send(commands, confirmed: .never) { result = .some($0) }
    while result == nil { try loop.turn(wait: .milliseconds(50)) }
    guard let replies = result.flatMap(\.self) else { throw failure }
    for case .error(let text) in replies {
      throw StartError.engine(address, failedBecause: text)
    }
    return replies
  }

  func reply(
    to script: RedisScript, keys: [String] = [], _ arguments: String...
  ) throws -> RedisReply {
    var commands = RedisCommands()
    commands.add(script, keys: keys, arguments: arguments)
    return try replies(to: commands)[0]
  }

  func reply(to words: String...) throws -> RedisReply {
    var commands = RedisCommands()
    commands.add(words)
    return try replies(to: commands)[0]
  }

  /// Calls `body` with the keys that match a pattern, some at a time. A key may come twice.
  /// `count` is how many keys the engine looks at in one step.
  func forEachKeys(
    matching pattern: String, count: Int, _ body: ([String]) throws -> Void
  ) throws {
    var cursor = "0"
    repeat {
      let reply = try reply(to: "SCAN", cursor, "MATCH", pattern, "COUNT", "\(count)")
      guard let parts = reply.elements, parts.count == 2, let next = parts[0].text,
        let keys = parts[1].elements?.compactMap(\.text)
      else {
        throw StartError(
          code: .unavailable, sentence: "The engine has sent a reply that is not understood here.")
      }
      cursor = next
      if !keys.isEmpty { try body(keys) }
    } while cursor != "0"
  }
}
