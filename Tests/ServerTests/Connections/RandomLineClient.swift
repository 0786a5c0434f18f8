import Shared
import TestSupport

/// Sends random lines from a seed: valid, broken and binary ones. Connects again when it is
/// disconnected.
final class RandomLineClient {
  private let server: TestServer
  private var random: SeededGenerator
  private var connection: MemoryConnection
  private(set) var visits = 1
  /// The received bytes, by connection.
  private(set) var received: [[UInt8]] = []

  init(at server: TestServer, seed: UInt64) {
    self.server = server
    random = SeededGenerator(seed: seed)
    connection = server.connect()
  }

  func sendRandomLine() {
    if connection.hasPeerEnded {
      leave()
      connection = server.connect()
      visits += 1
    }
    connection.send((line() + [UInt8(ascii: "\n")]).span)
  }

  /// Sends half a line, then closes or cuts the connection.
  func leave() {
    received.append(connection.takeReceived())
    connection.send(Array("start an".utf8).span)
    if Bool.random(using: &random) { connection.cut() } else { connection.close() }
  }

  private func line() -> [UInt8] {
    switch Int.random(in: 0..<100, using: &random) {
    case 0:
      Array(repeating: UInt8(ascii: "x"), count: Int.random(in: 4_000...6_000, using: &random))
    case 1..<20: (0..<Int.random(in: 0...60, using: &random)).map { _ in byte() }
    case 20..<40: broken(pick(Self.lines))
    case 40..<50: nested()
    default: Array(pick(Self.lines).utf8)
    }
  }

  /// The line with some bytes changed, doubled or removed.
  private func broken(_ line: String) -> [UInt8] {
    var bytes = Array(line.utf8)
    for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[index] = byte()
      case 1: bytes.insert(bytes[index], at: index)
      default: bytes.remove(at: index)
      }
    }
    return bytes
  }

  private func nested() -> [UInt8] {
    let depth = Int.random(in: 1...2_000, using: &random)
    return Array(#"{"type":"ping","x":"#.utf8) + Array(repeating: UInt8(ascii: "["), count: depth)
  }

  private func byte() -> UInt8 {
    let byte = UInt8.random(in: 0...255, using: &random)
    return byte == UInt8(ascii: "\n") ? 0 : byte
  }

  private func pick(_ lines: [String]) -> String { lines.randomElement(using: &random) ?? "" }

  private static let lines = [
    "login", "login ann", "login eve", "login \"Player 2\"", "login bot", "login \"\u{1F600}\"",
    #"{"type":"login","name":"\u001b[2J"}"#, #"{"type":"login","name":"İ\u0307ǰ"}"#, "start",
    "start bot", "start ann", "start bob", "start eve", "start \"Player 1\"",
    #"{"type":"start","opponent":"bot","game":"chess"}"#, "cancel", "cancel", "leave", "resign",
    "place 0 0", "place 1 1", "place 2 2 1", "place 0 1 0", "place 99 -1", "place 0 2 99999",
    #"{"type":"place","row":0,"col":9007199254740991,"seq":9007199254740991,"id":1}"#,
    #"{"type":"place","row":1e9,"col":"x"}"#, "list", "list matches", "list games", "ping", "help",
    #"{"type":"help","command":null,"id":"h"}"#, "quit", "resume x", "sync", "watch m",
    "say \u{202E}evil", "GET / HTTP/1.1", "\u{16}\u{3}\u{1}", "{}", "[]", "null", #"{"type":{}}"#,
    #"{"type":"ping","type":"ping"}"#, #"{"type":"ping","id":"\ud800"}"#, "\"\"", "\" \"",
  ]
}
