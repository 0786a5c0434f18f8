import Shared
import TestSupport
import Testing

@testable import Client

/// Heads and frames that are nearly right, cut and joined in every way: the readers find the same
/// in them however they arrive, and nothing stops them.
@Suite struct WebFuzzTests {
  private static let head =
    "GET /socket HTTP/1.1\r\nHost: localhost:8080\r\nOrigin: http://localhost:8080\r\n"
    + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
  private static let messages = [
    "h24 80  /", "h24 80 secret /join/abc token Ann Marie", "r40 100", "kEnter", "ta", "phello",
    "m3 4", "a", "i",
  ]

  private enum Found: Equatable {
    case request(HTTPRequest)
    case status(HTTPStatus)
    case input(WebInput?)
    case other
    case error(WebSocketError)
  }

  private static func frame(_ opcode: UInt8, _ payload: [UInt8], isLast: Bool) -> [UInt8] {
    let mask: [UInt8] = [7, 11, 13, 17]
    let length: [UInt8] =
      payload.count < 126
      ? [0x80 | UInt8(payload.count)]
      : [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    return [(isLast ? 0x80 : 0) | opcode] + length + mask
      + payload.enumerated().map { $0.element ^ mask[$0.offset % 4] }
  }

  private func conversation(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(Self.head.utf8)
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let text = Self.messages.randomElement(using: &random) ?? ""
      let opcode = [UInt8](arrayLiteral: 1, 1, 1, 1, 0, 2, 8, 9, 10).randomElement(using: &random)
      let repeated = String(
        repeating: text, count: [1, 1, 1, 40].randomElement(using: &random) ?? 1)
      bytes += Self.frame(
        opcode ?? 1, Array(repeated.utf8), isLast: Int.random(in: 0..<5, using: &random) > 0)
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
      default: bytes.removeSubrange(index...)
      }
    }
    return bytes
  }

  /// What the readers find in bytes that arrive in parts.
  private func found(in bytes: [UInt8], parts: [Int]) -> [Found] {
    var found: [Found] = []
    var head = HTTPRequestReader()
    var frames: WebSocketReader?
    var rest = bytes[...]
    for part in parts + [bytes.count] where !rest.isEmpty {
      let chunk = Array(rest.prefix(part))
      rest = rest.dropFirst(part)
      if frames == nil {
        head.append(chunk.span)
        do throws(HTTPStatus) {
          guard let request = try head.next() else { continue }
          found.append(.request(request))
          frames = WebSocketReader()
          frames?.append(head.takeRest().span)
        } catch {
          return found + [.status(error)]
        }
      } else {
        frames?.append(chunk.span)
      }
      do throws(WebSocketError) {
        while let message = try frames?.next() {
          if case .text(let text) = message {
            found.append(.input(WebInput(text)))
          } else {
            found.append(.other)
          }
        }
      } catch {
        return found + [.error(error)]
      }
    }
    return found
  }

  @Test(arguments: 1...4)
  func `what arrives in parts means the same`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var kinds: Set<String> = []
    for _ in 0..<150 {
      let bytes = conversation(&random)
      let whole = found(in: bytes, parts: [])
      let parts = (0..<bytes.count).map { _ in Int.random(in: 1...40, using: &random) }
      #expect(found(in: bytes, parts: parts) == whole, "\(bytes)")
      #expect(found(in: bytes, parts: bytes.map { _ in 1 }) == whole, "\(bytes)")
      for item in whole { kinds.insert("\(item)".prefix { $0 != "(" }.description) }
    }
    // Conversations in which nothing happens would pass as well.
    #expect(kinds == ["request", "status", "input", "other", "error"])
  }
}
