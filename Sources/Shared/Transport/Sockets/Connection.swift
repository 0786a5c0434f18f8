/// Receives the events of a connection, always within a turn of the loop. Each method may send,
/// pause, close, and release the connection.
package protocol ConnectionDelegate: AnyObject {
  /// Bytes have arrived: up to 16,384, which are valid only during the call.
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>)

  /// At the end of a turn the system had not taken all queued bytes. Not called for up to 4 KiB
  /// that wait for the loop's `OutputGate`, unless they wait for longer or input is not wanted.
  func connectionDidBlock(_ connection: any Connection)

  /// The system has taken all queued bytes, after `connectionDidBlock`.
  func connectionDidDrain(_ connection: any Connection)

  /// The connection has ended. Called up to twice: `.failed` may follow `.inputEnded`, and is the
  /// last call.
  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd)
}

/// A stream of bytes to and from a peer. Code above the transport sees nothing else of the network;
/// tests use connections in memory.
package protocol Connection: AnyObject {
  /// The connection does not hold it. Without a delegate input is lost.
  var delegate: (any ConnectionDelegate)? { get set }

  /// Sets the delegate, and may hold it until `close` or the last call, because a weak reference
  /// would slow down every retain and release of it. For a delegate that always closes the
  /// connection, or waits for its end.
  func retainDelegate(_ delegate: any ConnectionDelegate)

  /// The number of queued bytes that the system has not taken yet. It grows if the peer does not
  /// read.
  var unsent: Int { get }

  /// True at first. While it is false nothing is received, and the peer has to wait. Nothing is
  /// lost, unless the peer resets the connection: then unread input is lost. The end of the input
  /// is noticed only when reading continues, a reset at once.
  var isReading: Bool { get set }

  /// The peer's address. After a PROXY header it is the address that the header names.
  var peerAddress: SocketAddress { get set }

  /// Queues bytes. All bytes of a turn are sent with one system call at its end. Does nothing after
  /// `close`.
  ///
  /// - Returns: the number of unsent bytes.
  @discardableResult
  func send(_ bytes: Span<UInt8>) -> Int

  /// Tries to send the queued bytes now, for a turn that queues many. Does not call the delegate: a
  /// failure is reported at the end of the turn.
  func flush()

  /// False at first. While it is true, output does not wait for the loop's `OutputGate`.
  var passesGate: Bool { get set }

  /// Discards the output that waits for the loop's `OutputGate`, and lets what follows pass it.
  func dropHeldOutput()

  /// Closes the connection so that the peer receives all queued bytes: sends them for up to 10 s,
  /// shuts down writing, then reads and discards until the peer's end for up to 1 s. The delegate
  /// is not called again. A second call does nothing.
  func close()

  /// Closes the connection at once, also while `close` still sends or reads. Queued bytes are
  /// discarded, and the peer sees a reset. The delegate is not called again. A second call does
  /// nothing.
  func reset()

  /// Called once, when the descriptor has been closed: after all that `close` does, within `reset`,
  /// or after the delegate's call for a failure. It is released then. A loop that is freed does not
  /// call it.
  var onClose: (() -> Void)? { get set }
}

/// How a connection ended that this side did not close.
package enum ConnectionEnd: Equatable, Sendable {
  /// The peer sends no more, but may still read, so output is still sent. The delegate has to call
  /// `close`.
  case inputEnded
  /// Reset or lost. The connection is closed already.
  case failed(SystemError)

  /// For people: "end of input", "lost (Connection reset by peer)".
  package var reason: String {
    switch self {
    case .inputEnded: "end of input"
    case .failed(let error): "lost (\(error.reason))"
    }
  }
}

extension ConnectionDelegate {
  package func connectionDidBlock(_ connection: any Connection) {}
  package func connectionDidDrain(_ connection: any Connection) {}
}

// A connection whose output never waits for a gate.
extension Connection {
  package var passesGate: Bool {
    get { true }
    set {}
  }

  package func dropHeldOutput() {}

  package func retainDelegate(_ delegate: any ConnectionDelegate) { self.delegate = delegate }
}
