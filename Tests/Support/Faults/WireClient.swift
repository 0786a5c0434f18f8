package import Shared

/// A client's end of one connection to a server on loopback: it reads events and writes commands.
package final class WireClient {
  /// A way to lose a connection.
  package enum Cut: CaseIterable, Sendable {
    case reset, end
  }

  /// Called with the event of each line; `nil` is a line that cannot be decoded.
  package var onEvent: (Event?) -> Void = { _ in }
  /// Called once, when the server has closed or refused the connection.
  package var onEnd: () -> Void = {}
  private var connector: Connector?
  private var connection: (any Connection)?
  private var framer = LineFramer(limit: 65_536)
  private var decoder = EventDecoder()
  private var isOver = false

  package init(loop: EventLoop, port: UInt16) {
    connector = Connector(loop: loop, host: "127.0.0.1", port: port) { [weak self] result in
      guard let self else { return }
      connector = nil
      switch result {
      case .success(let connection): open(connection)
      case .failure: end()
      }
    }
  }

  /// Uses a connection that is open or being opened.
  package init(_ connection: any Connection) { open(connection) }

  deinit { cut(.reset) }

  /// `false` makes the server wait, as a client that does not read.
  package var isReading = true { didSet { connection?.isReading = isReading } }

  package func send(_ command: Command) {
    var line: [UInt8] = []
    CommandEncoder.append(command, to: &line)
    send(line)
  }

  package func send(_ bytes: [UInt8]) { connection?.send(bytes.span) }

  /// How many bytes the system has not taken yet.
  package var unsent: Int { connection?.unsent ?? 0 }

  /// Ends the connection. No callback follows.
  package func cut(_ cut: Cut) {
    isOver = true
    connector?.cancel()
    connector = nil
    switch cut {
    case .reset: connection?.reset()
    case .end: connection?.close()
    }
    connection = nil
  }

  private func open(_ connection: any Connection) {
    self.connection = connection
    connection.delegate = self
    connection.isReading = isReading
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    connection?.close()
    connection = nil
    onEnd()
  }
}

extension WireClient: ConnectionDelegate {
  package func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    var offset = 0
    while !isOver {
      switch framer.next(in: bytes, from: &offset) {
      case .line(let range): take(bytes.extracting(range))
      case .joined(let line): take(line.span)
      case .needsMore: return
      case .tooLong: return onEvent(nil)
      }
    }
  }

  private func take(_ line: Span<UInt8>) {
    onEvent(try? decoder.decode(line).event)
  }

  package func connectionDidDrain(_ connection: any Connection) {}

  package func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    self.end()
  }
}
