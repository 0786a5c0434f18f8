import Shared

/// A client in a test that writes lines and keeps the lines it receives.
package final class LineClient {
  private let connection: MemoryConnection
  private let network: MemoryNetwork
  private var tail: [UInt8] = []

  package init(_ connection: MemoryConnection, on network: MemoryNetwork) {
    self.connection = connection
    self.network = network
  }

  /// Sends a line, and returns all lines that arrive until nothing moves.
  @discardableResult
  package func say(_ line: String) -> [String] {
    sendOnly(line)
    network.run()
    return takeLines()
  }

  /// Sends a line without waiting for anything.
  package func sendOnly(_ line: String) {
    send(Array("\(line)\n".utf8))
  }

  /// Sends bytes as they are.
  package func send(_ bytes: [UInt8]) {
    connection.send(bytes.span)
  }

  /// Returns the complete lines that have arrived since the last call.
  package func takeLines() -> [String] {
    tail += connection.takeReceived()
    var lines: [String] = []
    while let end = tail.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: tail[..<end], as: UTF8.self))
      tail.removeFirst(end + 1)
    }
    return lines
  }

  /// Ends the input, as Ctrl-D in netcat does.
  package func end() {
    connection.close()
    network.run()
  }

  /// Breaks the connection.
  package func cut() {
    connection.cut()
    network.run()
  }

  package func stopReading() { connection.isReading = false }

  package func readOn() {
    connection.isReading = true
    network.run()
  }

  /// Whether the connection was reset.
  package var isReset: Bool { connection.isCut }

  /// Whether the server has closed the connection.
  package var isClosedByServer: Bool { connection.hasPeerEnded }
}
