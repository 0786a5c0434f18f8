/// A frame of a WebSocket connection from the server to the browser (RFC 6455, section 5).
enum WebSocketFrame {
  enum Kind: UInt8 {
    case text = 1
    case close = 8
    case ping = 9
    case pong = 10
  }

  /// Returns the bytes of an unmasked frame.
  static func bytes(_ kind: Kind, _ payload: [UInt8]) -> [UInt8] {
    let length: [UInt8] =
      switch payload.count {
      case ..<126: [UInt8(payload.count)]
      case ..<65_536: [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
      default:
        [127]
          + stride(from: 56, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: payload.count >> $0)
          }
      }
    return [0x80 | kind.rawValue] + length + payload
  }

  /// Returns the value of `Sec-WebSocket-Accept` for a key, before base64.
  static func accept(_ key: String) -> [UInt8] {
    SHA1.hash(Array("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
  }
}

/// Why a WebSocket connection cannot go on, as its close code.
enum WebSocketError: UInt16, Error {
  case protocolError = 1002
  case notText = 1003
  case notUTF8 = 1007
  case tooLarge = 1009
}

/// Reads messages from the bytes of a WebSocket connection.
struct WebSocketReader {
  /// The maximum size of a message of a browser in bytes, and of one of a process of this program.
  static let (maxMessage, maxUnmasked) = (8_192, 1_048_576)
  /// The maximum number of frames of a message.
  static let maxFrames = 16

  enum Message: Equatable {
    case text(String)
    case ping([UInt8])
    case pong
    case close
  }

  /// A browser masks everything that it sends, and a process of this program nothing.
  private let isMasked: Bool
  private var bytes: [UInt8] = []
  /// The parts of a message that has not ended; `nil` between messages.
  private var parts: [UInt8]?
  /// The number of those frames.
  private var frames = 0

  init(isMasked: Bool = true) { self.isMasked = isMasked }

  private var maxLength: Int { isMasked ? Self.maxMessage : Self.maxUnmasked }

  mutating func append(_ more: Span<UInt8>) {
    more.withUnsafeBufferPointer { bytes += $0 }
  }

  /// Returns the next message; `nil` if it is incomplete.
  ///
  /// - Throws: the reason to close the connection, after which nothing else can be read.
  mutating func next() throws(WebSocketError) -> Message? {
    while let frame = try nextFrame() {
      switch frame.opcode {
      case 0, 1:
        guard (frame.opcode == 0) == (parts != nil) else { throw .protocolError }
        let joined = (parts ?? []) + frame.payload
        frames = parts == nil ? 1 : frames + 1
        guard joined.count <= maxLength, frames <= Self.maxFrames else { throw .tooLarge }
        parts = joined
        guard frame.isLast else { continue }
        parts = nil
        guard let text = String(validating: joined, as: UTF8.self) else { throw .notUTF8 }
        return .text(text)
      case 2: throw .notText
      case 8: return .close
      case 9: return .ping(frame.payload)
      case 10: return .pong
      default: throw .protocolError
      }
    }
    return nil
  }

  private mutating func nextFrame() throws(WebSocketError) -> (
    opcode: UInt8, isLast: Bool, payload: [UInt8]
  )? {
    guard bytes.count >= 2 else { return nil }
    let (opcode, isLast) = (bytes[0] & 0x0F, bytes[0] & 0x80 != 0)
    // No extension was agreed on.
    guard bytes[0] & 0x70 == 0, (bytes[1] & 0x80 != 0) == isMasked else { throw .protocolError }
    var length = Int(bytes[1] & 0x7F)
    guard opcode < 8 || isLast && length < 126 else { throw .protocolError }
    guard length < 127 || !isMasked else { throw .tooLarge }
    var start = 2
    if length > 125 {
      start = length == 126 ? 4 : 10
      guard bytes.count >= start else { return nil }
      length = bytes[2..<start].reduce(0) { $0 << 8 | Int($1) }
    }
    guard (0...maxLength).contains(length) else { throw .tooLarge }
    let end = start + length + (isMasked ? 4 : 0)
    guard bytes.count >= end else { return nil }
    let mask = bytes[start..<start + (isMasked ? 4 : 0)]
    var payload = Array(bytes[(start + mask.count)..<end])
    if isMasked {
      for index in payload.indices { payload[index] ^= mask[start + index % 4] }
    }
    bytes.removeFirst(end)
    return (opcode, isLast, payload)
  }
}
