/// Whom a connection tells what happens to it, always from within a turn of the loop. Each call may
/// send, pause, close, and let go of the connection.
package protocol ConnectionDelegate: AnyObject {
  /// Bytes came: 1 to 65,536 of them, which hold only during the call.
  func connection(_ connection: any Connection, didReceive bytes: Span<UInt8>)

  /// At the end of a turn the system had not taken all that was queued.
  func connectionDidBlock(_ connection: any Connection)

  /// All that was queued has gone out, after a time in which the peer did not take it.
  func connectionDidDrain(_ connection: any Connection)

  /// At most once for each end: after `.inputEnded` there may still come `.failed`, which is the
  /// last call.
  func connectionDidEnd(_ connection: any Connection, with end: ConnectionEnd)
}

/// A stream of bytes to and from a peer: all that code above the transport sees of the network. In
/// tests one in memory stands in for it.
package protocol Connection: AnyObject {
  /// Not held. Without a delegate what comes is lost.
  var delegate: (any ConnectionDelegate)? { get set }

  /// Sets the delegate, and may hold it until `close` or the last call: to refer to it weakly makes
  /// each reference to it dear to count. For whoever is sure to close, or to wait for the end.
  func retainDelegate(_ delegate: any ConnectionDelegate)

  /// Bytes queued that the system has not taken yet; grows where a peer does not read.
  var unsent: Int { get }

  /// True at first. While false nothing is received and so the peer is held up; nothing is lost,
  /// but for what is still to be read when the peer resets the connection. The end of the input is
  /// noticed only when reading goes on, a reset at once.
  var isReading: Bool { get set }

  /// The peer; once a proxy has said for whom it has connected, that one.
  var peerAddress: SocketAddress { get set }

  /// Queues bytes. What a turn of the loop queues goes out with one system call at its end. Does
  /// nothing after `close`.
  /// - Returns: How many bytes are unsent now.
  @discardableResult
  func send(_ bytes: Span<UInt8>) -> Int

  /// Tries to send now what is queued, for a turn that queues very much. Does not call the
  /// delegate: what fails is told at the end of the turn.
  func flush()

  /// Ends the connection so that the peer receives all that is queued: sends it (10 s at most),
  /// says that no more comes, and reads and discards until the peer's end (1 s more at most). The
  /// delegate is not called any more. Twice is once.
  func close()

  /// Ends the connection at once, also while `close` still sends or reads: discards what is queued,
  /// and the peer sees a reset. The delegate is not called any more. Twice is once.
  func reset()

  /// Called once, when the descriptor has been closed: at the end of what `close` does, from within
  /// `reset`, or after the delegate was told of a failure. It is let go then. A loop that ends does
  /// not call it.
  var onClose: (() -> Void)? { get set }
}

/// How a connection ended without having been closed here.
package enum ConnectionEnd: Equatable, Sendable {
  /// The peer sends no more, but may still read: what is sent goes out. It is upon the delegate to
  /// `close`.
  case inputEnded
  /// Reset or lost. Nothing goes out any more, and the connection is closed already.
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
}

extension Connection {
  package func retainDelegate(_ delegate: any ConnectionDelegate) { self.delegate = delegate }
}
