import Shared

/// A wire to another process: lines over TCP.
final class TCPWire: Wire {
  weak var receiver: (any WireReceiver)?
  private let connection: any Connection
  private var framer = LineFramer(limit: 100)
  private let didEnd: () -> Void

  /// `didEnd` is called once, when the other end has gone.
  init(_ connection: any Connection, didEnd: @escaping () -> Void) {
    self.connection = connection
    self.didEnd = didEnd
    connection.delegate = self
  }

  func send(_ line: String) {
    connection.send(Array("\(line)\n".utf8).span)
  }

  func close() {
    connection.close()
  }
}

extension TCPWire: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    let isLegal = framer.forEachLine(in: bytes) { receiver?.didReceive($0) }
    if !isLegal { end() }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    self.end()
  }

  private func end() {
    connection.close()
    didEnd()
  }
}

extension LineFramer {
  /// Calls `body` with each complete line of a chunk. Returns `false` if a line is too long.
  mutating func forEachLine(in chunk: Span<UInt8>, _ body: (String) -> Void) -> Bool {
    var offset = 0
    while true {
      switch next(in: chunk, from: &offset) {
      case .line(let range): body(range.map { chunk[$0] }.asLine)
      case .joined(let bytes): body(bytes.asLine)
      case .needsMore: return true
      case .tooLong: return false
      }
    }
  }
}

extension [UInt8] {
  fileprivate var asLine: String { String(decoding: self, as: UTF8.self) }
}
