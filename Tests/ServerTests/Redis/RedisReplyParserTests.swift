import TestSupport
import Testing

@testable import Server

@Suite struct RedisReplyParserTests {
  private static let example =
    "+OK\r\n-ERR no\r\n:-12\r\n$5\r\na\r\nb\0\r\n$-1\r\n*-1\r\n$0\r\n\r\n*0\r\n"
    + "*3\r\n:1\r\n*2\r\n$1\r\nx\r\n+y\r\n$-1\r\n"
  private static let replies: [RedisReply] = [
    .status("OK"), .error("ERR no"), .integer(-12), .bulk(Array("a\r\nb\0".utf8)), .null, .null,
    .bulk([]), .array([]),
    .array([.integer(1), .array([.bulk(Array("x".utf8)), .status("y")]), .null]),
  ]

  /// Parses pieces of bytes, each as it arrives.
  private func parse(_ pieces: [ArraySlice<UInt8>]) throws -> [RedisReply] {
    var parser = RedisReplyParser()
    var replies: [RedisReply] = []
    for piece in pieces {
      parser.append(Array(piece).span)
      while let reply = try parser.next() { replies.append(reply) }
    }
    return replies
  }

  private func parse(_ text: String) throws -> [RedisReply] { try parse([Array(text.utf8)[...]]) }

  @Test func `every kind of reply`() throws {
    #expect(try parse(Self.example) == Self.replies)
  }

  @Test func `replies may be cut anywhere`() throws {
    let bytes = Array(Self.example.utf8)
    for cut in bytes.indices {
      #expect(try parse([bytes[..<cut], bytes[cut...]]) == Self.replies, "cut at \(cut)")
    }
    #expect(try parse(bytes.indices.map { bytes[$0...$0] }) == Self.replies)
  }

  @Test func `an incomplete reply is not returned`() throws {
    for text in ["", "+", "+OK\r", "$3\r\nabc", "$3\r\nabc\r", "*2\r\n:1\r\n"] {
      #expect(try parse(text) == [], "\(text)")
    }
  }

  @Test(arguments: [
    "\r\n", "OK\r\n", "!1\r\n", ":x\r\n", ":\r\n", ":+1\r\n", ":99999999999999999999\r\n",
    "$-2\r\n", "$1 \r\n", "$1\r\nabc", "$67108865\r\n", "*-2\r\n", "*1048577\r\n",
    String(repeating: "*1\r\n", count: 9) + ":1\r\n",
    "+" + String(repeating: "x", count: RedisReplyParser.maxLine + 1),
  ])
  func `what is no reply, or too large, is an error`(text: String) {
    #expect(throws: RedisProtocolError.self) { try parse(text) }
  }

  @Test func `arrays may be eight deep`() throws {
    let reply = try parse(String(repeating: "*1\r\n", count: 8) + ":1\r\n").first
    #expect(reply?.elements?.first?.elements != nil)
  }

  /// Damages the example at random places. The parser must return or throw, in every piece.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `damaged input does no harm`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var bytes = Array(Self.example.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] =
          Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : Array("+-:$*0123456789\r\n".utf8).randomElement(using: &random) ?? 0
      }
      let cut = Int.random(in: bytes.indices, using: &random)
      let whole = try? parse([bytes[...]])
      let cutReplies = try? parse([bytes[..<cut], bytes[cut...]])
      #expect(whole == cutReplies, "\(bytes), cut at \(cut)")
    }
  }
}
