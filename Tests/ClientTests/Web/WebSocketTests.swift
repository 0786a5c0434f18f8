import Foundation
import Shared
import Testing

@testable import Client

/// The handshake and the messages of a page.
@Suite struct WebSocketTests {
  private func masked(
    _ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true
  ) -> [UInt8] {
    let mask: [UInt8] = [1, 2, 3, 4]
    let length: [UInt8] =
      payload.count < 126
      ? [0x80 | UInt8(payload.count)]
      : [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    return [(isLast ? 0x80 : 0) | opcode] + length + mask
      + payload.enumerated().map { $0.element ^ mask[$0.offset % 4] }
  }

  private func read(_ bytes: [UInt8]) throws -> [WebSocketReader.Message] {
    var reader = WebSocketReader()
    var messages: [WebSocketReader.Message] = []
    for byte in bytes {
      reader.append([byte].span)
      while let message = try reader.next() { messages.append(message) }
    }
    return messages
  }

  @Test func `the hash is that of the standard`() {
    let hash = SHA1.hash(Array("abc".utf8)).map { String(format: "%02x", $0) }.joined()
    #expect(hash == "a9993e364706816aba3e25717850c26c9cd0d89d")
    let long = SHA1.hash([UInt8](repeating: UInt8(ascii: "a"), count: 1_000))
    #expect(
      long.map { String(format: "%02x", $0) }.joined()
        == "291e9a6c66994949b57ba5e650361e98fc36b1ba")
  }

  @Test func `the key of the standard gets the answer of the standard`() {
    let accept = WebSocketFrame.accept("dGhlIHNhbXBsZSBub25jZQ==")
    #expect(Data(accept).base64EncodedString() == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test func `messages arrive byte by byte, in parts, and with pings between the parts`() throws {
    let bytes =
      masked(1, Array("kEn".utf8), isLast: false) + masked(9, [7]) + masked(0, Array("ter".utf8))
      + masked(1, Array("tä".utf8)) + masked(8, [])
    #expect(try read(bytes) == [.ping([7]), .text("kEnter"), .text("tä"), .close])
  }

  @Test func `a message has up to 16 frames`() throws {
    func message(_ frames: Int) -> [UInt8] {
      masked(1, [0x61], isLast: false)
        + (2..<frames).flatMap { _ in masked(0, [], isLast: false) } + masked(0, [0x62])
    }
    #expect(try read(message(16) + message(16)) == [.text("ab"), .text("ab")])
    #expect(throws: WebSocketError.tooLarge) { try read(message(17)) }
  }

  @Test(
    arguments: [
      ([0x81, 0x01, 0x41], WebSocketError.protocolError),
      ([0xC1, 0x81, 1, 2, 3, 4, 0x41], .protocolError),
      ([0x80, 0x81, 1, 2, 3, 4, 0x41], .protocolError),
      ([0x83, 0x80, 1, 2, 3, 4], .protocolError),
      ([0x09, 0x80, 1, 2, 3, 4], .protocolError),
      ([0x82, 0x80, 1, 2, 3, 4], .notText),
      ([0x81, 0xFF], .tooLarge),
      ([0x81, 0xFE, 0xFF, 0xFF], .tooLarge),
      ([0x81, 0x81, 0, 0, 0, 0, 0xFF], .notUTF8),
    ] as [([UInt8], WebSocketError)])
  func `what no browser sends ends the connection`(bytes: [UInt8], error: WebSocketError) {
    #expect(throws: error) { try read(bytes) }
  }

  @Test(arguments: [0, 125, 126, 65_535, 65_536])
  func `a process of the program masks nothing, and sends more`(count: Int) throws {
    let text = String(repeating: "x", count: count)
    var reader = WebSocketReader(isMasked: false)
    let bytes = WebSocketFrame.bytes(.text, Array(text.utf8))
    for part in [bytes.prefix(7), bytes.dropFirst(7)] { reader.append(Array(part).span) }
    #expect(try reader.next() == .text(text))
    #expect(try reader.next() == nil)
    reader.append(masked(1, [65]).span)
    #expect(throws: WebSocketError.protocolError) { try reader.next() }
  }

  @Test func `parts that never end are too large at last`() {
    var bytes = masked(1, [UInt8](repeating: 65, count: 4_000), isLast: false)
    for _ in 0..<3 { bytes += masked(0, [UInt8](repeating: 65, count: 4_000), isLast: false) }
    #expect(throws: WebSocketError.tooLarge) { try read(bytes) }
  }

  @Test func `random bytes never stop the reader`() {
    var random = RandomSource()
    for _ in 0..<2_000 {
      var reader = WebSocketReader()
      let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
      reader.append(bytes.span)
      do throws(WebSocketError) {
        while try reader.next() != nil {}
      } catch {}
      var head = HTTPRequestReader()
      head.append(bytes.span)
      do throws(HTTPStatus) {
        while let request = try head.next() {
          _ = request.visitor(from: .loopback, behind: [IPNetwork(.loopback, prefix: 0)])
        }
      } catch {}
    }
  }

  private static let head =
    "GET /socket HTTP/1.1\r\nHost: games.example\r\nOrigin: https://games.example\r\n"
    + "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

  private func key(_ head: String) -> String? {
    var reader = HTTPRequestReader()
    reader.append(Array(head.utf8).span)
    return (try? reader.next())?.webSocketKey
  }

  @Test func `a page of the same host may connect, and no other`() {
    #expect(key(Self.head) == "dGhlIHNhbXBsZSBub25jZQ==")
    for (old, new) in [
      ("Origin: https://games.example", "Origin: https://evil.example"),
      ("Origin: https://games.example\r\n", ""), ("Host: games.example\r\n", ""),
      ("Host: games.example", "Host: games.example\r\nHost: evil.example"),
      ("Version: 13", "Version: 8"), ("Upgrade: websocket\r\n", ""),
      ("Key: dGhlIHNhbXBsZSBub25jZQ==", "Key: short"), ("GET", "POST"),
    ] {
      #expect(key(Self.head.replacing(old, with: new)) == nil)
    }
  }

  @Test func `the messages of a page are keys, texts, clicks and sizes`() {
    #expect(WebInput("kArrowUp") == .keys([.up]))
    #expect(WebInput("tab") == .keys([.character("a"), .character("b")]))
    #expect(WebInput("px\n") == .keys([.pasted("x"), .pasted(" ")]))
    #expect(WebInput("m3 4") == .keys([.press(Position(row: 3, column: 4))]))
    #expect(WebInput("r24 80") == .resize(Size(rows: 24, columns: 80)))
    #expect(WebInput("r9999 9999") == .resize(WebInput.maxSize))
    #expect(
      WebInput("h24 80  /join/k7w2mx")
        == .hello(Size(rows: 24, columns: 80), secret: "", path: "/join/k7w2mx", kept: nil))
    for text in [
      "", "x", "kCtrl-z", "kF1", "m1", "m-1 2", "m99 2", "r0 80", "r1", "h24 80", "ax",
      "r99999999999999999999 1",
    ] {
      #expect(WebInput(text) == nil)
    }
  }

  @Test func `an escape sequence in a text stays text`() {
    #expect(WebInput("t\u{1B}[A") == .keys([.character("�"), .character("["), .character("A")]))
  }
}
