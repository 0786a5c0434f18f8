import Shared

/// Comes when all have gone, and sees who and what is still there.
final class LastVisitor {
  private let connection: SimulatedConnection
  private var received: [UInt8] = []

  init(_ connection: SimulatedConnection) {
    self.connection = connection
    connection.delegate = self
    connection.send(Array("login last\nlist\nlist matches\nquit\n".utf8).span)
  }

  /// What was not as it should be.
  var complaint: String? {
    let lines = String(decoding: received, as: UTF8.self).split(separator: "\n").dropFirst(2)
      .map(String.init)
    let expected = [
      #"{"type":"players","items":[{"name":"last","place":"lobby"}]}"#,
      #"{"type":"matches","items":[]}"#,
      #"{"type":"bye","code":"quit","message":"Goodbye."}"#,
    ]
    return lines == expected ? nil : "the last visitor found: \(lines)"
  }
}

extension LastVisitor: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { received += $0 }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    connection.close()
  }
}
