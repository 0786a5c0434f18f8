/// Begins TLS on a connection: checks who the peer is, and makes a `TLSConnection`. The
/// connection owns the handshake until it is done.
package final class TLSHandshake {
  /// How long the peer may take by default.
  package static let timeout: Duration = .seconds(5)

  private let connection: any Connection
  private let session: TLSSession
  private let timers: any Timers
  private var limit: LoopTimer?
  /// `nil` once the handshake is over.
  private var completion: ((Result<TLSConnection, TLSError>) -> Void)?

  /// Takes over a connection on which nothing was sent or received. `completion` is called once,
  /// perhaps before this call returns, unless the handshake is cancelled before. It sets the new
  /// connection's delegate.
  package init(
    over connection: any Connection, session: TLSSession, timers: any Timers,
    limit: Duration = timeout,
    completion: @escaping (Result<TLSConnection, TLSError>) -> Void
  ) {
    self.connection = connection
    self.session = session
    self.timers = timers
    self.completion = completion
    self.limit = timers.schedule(after: limit) { [weak self] in self?.fail(.timedOut) }
    connection.retainDelegate(self)
    advance()
  }

  /// Closes the connection. Does nothing after the completion was called.
  package func cancel() {
    guard end() != nil else { return }
    connection.close()
  }

  private func advance() {
    do throws(TLSError) {
      let isComplete = try session.handshake()
      session.takeOutput { connection.send($0) }
      if isComplete { succeed() }
    } catch {
      fail(error)
    }
  }

  private func succeed() {
    guard let completion = end() else { return }
    let secured = TLSConnection(over: connection, session: session, timers: timers)
    completion(.success(secured))
    secured.deliver()
  }

  private func fail(_ error: TLSError) {
    guard let completion = end() else { return }
    // Tells the peer the reason.
    session.takeOutput { connection.send($0) }
    connection.close()
    completion(.failure(error))
  }

  private func end() -> ((Result<TLSConnection, TLSError>) -> Void)? {
    limit?.cancel()
    defer { completion = nil }
    return completion
  }
}

extension TLSHandshake: ConnectionDelegate {
  package func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>) {
    do throws(TLSError) {
      try session.receive(bytes)
    } catch {
      return fail(error)
    }
    advance()
  }

  package func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd) {
    switch end {
    case .inputEnded: fail(.closed)
    case .failed(let error): fail(.broken(error))
    }
  }
}
