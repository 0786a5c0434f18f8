@testable import Server

/// A connection of a simulated engine: what came in and waits its turn.
final class RedisClient {
  let wire: SimulatedWire
  /// The commands that have arrived, the first one first.
  var commands: [[String]] = []
  /// The number of the last write of this connection, for which `WAIT` waits.
  var lastWrite = 0
  var isBlocked = false
  /// Whether its node has reset it. What has not been read is lost.
  var isGone = false
  private var parser = RedisReplyParser()

  init(_ wire: SimulatedWire) {
    self.wire = wire
  }

  /// Takes bytes that have arrived: arrays of strings, which look like replies.
  func append(_ bytes: [UInt8]) {
    parser.append(bytes.span)
    while let command = try? parser.next() {
      commands.append(command.elements?.compactMap(\.text) ?? [])
    }
  }

  func send(_ reply: RedisReply, after delay: Duration = .zero) {
    wire.send(reply.bytes, after: delay)
  }
}

extension RedisReply {
  /// The reply as it is sent (RESP2).
  var bytes: [UInt8] {
    switch self {
    case .status(let text): Array("+\(text)\r\n".utf8)
    case .error(let text): Array("-\(text)\r\n".utf8)
    case .integer(let number): Array(":\(number)\r\n".utf8)
    case .bulk(let bytes): Array("$\(bytes.count)\r\n".utf8) + bytes + [13, 10]
    case .null: Array("$-1\r\n".utf8)
    case .array(let elements): Array("*\(elements.count)\r\n".utf8) + elements.flatMap(\.bytes)
    }
  }
}
