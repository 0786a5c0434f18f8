import Shared

/// Logs in after every player has left, and lists the players and matches that are still there.
final class FinalInspector {
  private let connection: SimulatedConnection
  private var received: [UInt8] = []

  init(_ connection: SimulatedConnection) {
    self.connection = connection
    connection.delegate = self
    connection.send(Array("login last\nlist\nlist matches\nquit\n".utf8).span)
  }

  /// What it found; `nil` if nothing is left.
  var failure: String? {
    let lines = String(decoding: received, as: UTF8.self).split(separator: "\n").dropFirst(2)
      .map(String.init).filter { !$0.hasPrefix(#"{"type":"announcement""#) }
    let expected = [
      #"{"type":"players","items":[{"name":"last","place":"lobby"}]}"#,
      #"{"type":"matches","items":[]}"#,
      #"{"type":"bye","code":"quit","message":"Goodbye."}"#,
    ]
    return lines == expected ? nil : "after all players left, the server lists: \(lines)"
  }
}

extension FinalInspector: ConnectionDelegate {
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { received += $0 }
  }

  func connectionDidDrain(_ connection: any Connection) {}

  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    connection.close()
  }
}
