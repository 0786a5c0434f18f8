import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ProtocolDetectorTests {
  private let server = TestServer()

  @Test(arguments: [
    "GET / HTTP/1.1\r", "HEAD /index.html HTTP/1.0", "OPTIONS * HTTP/1.1", "PRI * HTTP/2.0\r",
    "CONNECT example.org:443 HTTP/1.1", "M-SEARCH * HTTP/1.1",
  ])
  func `the request line of HTTP is detected`(line: String) {
    #expect(isHTTP(line))
  }

  @Test(arguments: [
    "", "GET", "GET /", "get / HTTP/1.1", "login ann HTTP/1.1", "GET / a HTTP/1.1", "help",
    #"{"type":"ping"}"#, "\u{16}\u{3}",
  ])
  func `any other line is not detected as HTTP`(line: String) {
    #expect(!isHTTP(line))
  }

  @Test func `two bytes identify a TLS handshake`() {
    #expect(beginsTLS([0x16, 0x03]) && beginsTLS([0x16, 0x03, 0x01]))
    #expect(![[], [0x16], [0x03], [0x16, 0x02], [0x03, 0x16]].contains(where: beginsTLS))
  }

  @Test(arguments: ["GET / HTTP/1.1", "POST /login HTTP/1.1\r"])
  func `a browser gets bye with badProtocol`(line: String) throws {
    let client = server.client()
    let lines = try client.ask(line + "\nHost: localhost\r\n\r")
    #expect(kinds(lines) == ["bye badProtocol"])
    #expect(lines.first?["retry"] == nil)
    #expect(client.isClosedByServer)
  }

  @Test func `a TLS handshake is detected before a line has ended`() throws {
    let connection = server.connect()
    let client = LineClient(connection, on: server.network)
    connection.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01].span)
    server.network.run()
    #expect(try client.hearTypes() == ["hello", "bye badProtocol"])
    #expect(client.isClosedByServer)
  }

  @Test func `a TLS handshake is detected however its bytes are split`() throws {
    #expect(try answers(to: "\u{16}", "\u{3}") == ["hello", "bye badProtocol"])
  }

  @Test func `the first byte of TLS alone is only a bad command`() throws {
    #expect(try answers(to: "\u{16}", "x\n") == ["hello", "unknownType"])
  }

  @Test func `bytes of TLS in the middle of the first line are part of the line`() throws {
    #expect(try answers(to: "login a", "\u{16}\u{3}\n") == ["hello", "badName"])
  }

  @Test(arguments: ["GET / HTTP/1.1", "\u{16}\u{3}"])
  func `after the first line TLS is only a bad command`(line: String) throws {
    let client = server.client()
    #expect(try client.askTypes("ping") == ["pong"])
    #expect(try client.askTypes(line) == ["unknownType"])
    #expect(try client.askTypes("ping") == ["pong"])
  }

  /// Returns the lines for a new connection that has sent these pieces one by one.
  private func answers(to pieces: String...) throws -> [String] {
    let connection = server.connect()
    let client = LineClient(connection, on: server.network)
    for piece in pieces {
      connection.send(Array(piece.utf8).span)
      server.network.run()
    }
    return try client.hearTypes()
  }

  private func beginsTLS(_ bytes: [UInt8]) -> Bool {
    var detector = ProtocolDetector()
    return detector.detectsTLS(bytes.span)
  }

  private func isHTTP(_ line: String) -> Bool {
    var detector = ProtocolDetector()
    return detector.detectsHTTP(Array(line.utf8).span)
  }
}
