import Shared
import TestSupport

/// What attackers send. What is sent over and over is about 64 KB long.
enum Bytes {
  private static let size = 65_536

  /// U+FDFA decomposes into 18 scalars.
  static let startWithLongName = Array(
    #"{"type":"start","opponent":"\#(String(repeating: "\u{FDFA}", count: 432))"}\#n"#.utf8)
  /// The longest remark in the longest characters, 95 times: each 100 ms a little below the default
  /// limit on lines.
  static let remarks = Array(
    String(repeating: "say \(String(repeating: "🐈", count: 200))\n", count: 95).utf8)
  /// The first connection to send it takes the name.
  static let loginWithTakenName = Array(
    #"{"type":"login","name":"\#(String(repeating: "\u{FDFA}", count: 24))"}\#n"#.utf8)

  /// 18 lines, each 20 ms a little below the default limit on lines.
  static let requests = Array(
    String(
      repeating: "start \(GuestProbe.name)\ncancel\nopen gomoku\ncancel\ndecline\njoin 222222\n",
      count: 3
    ).utf8)
  static let joins = repeated("join 222222\n")

  static let pings = repeated("ping\n")
  static let blankLines = repeated("\n")
  static let http = repeated("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
  /// The record header of a handshake, and the start of a ClientHello.
  static let tls: [UInt8] = [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03]

  /// Lines with one long escaped text, and lines with many fields, in turn.
  static let longLines: [UInt8] = {
    let text = #","a":"\#(String(repeating: #"\u0041"#, count: 678))""#
    let fields = (100..<553).map { #","k\#($0)":1"# }.joined()
    return repeated(ping(with: text) + ping(with: fields))
  }()

  /// Most of a line, without its end.
  static let halfLine = Array(repeating: UInt8(ascii: "x"), count: 4_000)

  static let junk: [UInt8] = {
    var random = SeededGenerator(seed: 1)
    return (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }()

  /// Tokens of the right form: 22 characters of base64url, of which the last has 4 spare bits.
  static let resumes: [UInt8] = {
    var random = SeededGenerator(seed: 2)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let lines = (0..<size / 30).map { _ in
      let token = (0..<21).map { _ in alphabet[Int(random.next() % 64)] }
      return "resume \(String(token))A\n"
    }
    return Array(lines.joined().utf8)
  }()

  /// A ping with fields that it does not have.
  private static func ping(with fields: String) -> String {
    let line = #"{"type":"ping"\#(fields)}"#
    precondition(line.utf8.count <= 4_096, "a line is not too long")
    return "\(line)\n"
  }

  private static func repeated(_ text: String) -> [UInt8] {
    Array(String(repeating: text, count: max(1, size / text.utf8.count)).utf8)
  }
}
