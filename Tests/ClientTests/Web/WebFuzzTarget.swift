import Shared

@testable import Client

/// The target of a fuzzer's input, which its first byte selects.
enum WebFuzzTarget {
  /// The address of the page in all inputs.
  static let host = "localhost:8080"
  /// The head with which a page begins its connection.
  static let handshake =
    "GET /socket HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://\(host)\r\n"
    + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"

  /// Returns a description of the fault; `nil` if there is none.
  static func fault(of input: Span<UInt8>) -> String? {
    guard input.count > 1 else { return nil }
    let rest = input.extracting(1..<input.count).withUnsafeBufferPointer { Array($0) }
    switch input[0] & 3 {
    case 0: return faultOfReaders(Array(rest))
    case 1: return faultOfReaders(Array(handshake.utf8) + rest)
    case 2: return FuzzedPage.fault(of: rest, isStructured: false)
    default: return FuzzedPage.fault(of: rest, isStructured: true)
    }
  }

  /// The readers find the same in bytes that arrive in one piece, in two and one by one.
  private static func faultOfReaders(_ bytes: [UInt8]) -> String? {
    let whole = found(in: bytes)
    for parts in [[bytes.count / 2], [bytes.count / 3, 7], bytes.map { _ in 1 }] {
      let other = found(in: bytes, parts: parts)
      guard other == whole else { return "\(whole) is \(other) in parts" }
    }
    return whole.lazy.compactMap(fault).first
  }

  private static func fault(_ found: Found) -> String? {
    switch found {
    case .request(let request):
      _ = WebFile.response(to: request).bytes(keepsConnection: false, onlyHead: false)
      let visitor = request.visitor(from: .loopback, behind: proxies)
      return IPAddress("\(visitor)") == visitor ? nil : "\(visitor) is no address"
    case .input(.hello(let size, _, _, let kept)?):
      guard kept == nil || kept.flatMap({ BrowserSession($0.text) }) == kept else {
        return "\(String(describing: kept)) is not read again"
      }
      return fault(size)
    case .input(.resize(let size)?): return fault(size)
    case .input, .status, .other, .error: return nil
    }
  }

  private static func fault(_ size: Size) -> String? {
    WebInput.maxSize.holds(size) && size.rows > 0 && size.columns > 0 ? nil : "\(size)"
  }

  private static let proxies = [IPNetwork("127.0.0.0/8")].compactMap(\.self)

  /// What the readers find.
  enum Found: Equatable {
    case request(HTTPRequest)
    case status(HTTPStatus)
    case input(WebInput?)
    case other
    case error(WebSocketError)
  }

  /// Returns what the readers find in bytes that arrive in parts, after which the rest arrives.
  static func found(in bytes: [UInt8], parts: [Int] = []) -> [Found] {
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

  /// Returns a frame as a browser sends it.
  static func frame(
    _ opcode: UInt8, _ payload: some Collection<UInt8>, isLast: Bool = true
  ) -> [UInt8] {
    let mask: [UInt8] = [7, 11, 13, 17]
    let length: [UInt8] =
      payload.count < 126
      ? [0x80 | UInt8(payload.count)]
      : [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    return [(isLast ? 0x80 : 0) | opcode] + length + mask
      + payload.enumerated().map { $0.element ^ mask[$0.offset % 4] }
  }
}
