import Shared

/// A delegate that records the events of its connection, and can react to them.
final class ConnectionRecorder: ConnectionDelegate {
  var received: [String] = []
  var ends: [ConnectionEnd] = []
  var drains = 0
  var onReceive: ((any Connection, String) -> Void)?
  var onEnd: ((any Connection) -> Void)?

  var text: String { received.joined() }

  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    let text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    received.append(text)
    onReceive?(connection, text)
  }

  func connectionDidDrain(_ connection: any Connection) { drains += 1 }

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    ends.append(end)
    onEnd?(connection)
  }
}

extension Connection {
  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { send(bytes.span) }
}
