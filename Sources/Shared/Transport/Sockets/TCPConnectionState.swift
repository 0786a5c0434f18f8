/// The state of a TCP connection.
enum TCPConnectionState {
  case open
  /// The peer sends no more; we may still send.
  case inputEnded
  /// Closed by us; the queued bytes are still sent. Input is discarded, so that a peer that writes
  /// before it reads is not blocked.
  case flushing(inputEnded: Bool)
  /// Everything was sent and writing is shut down. Closing with unread input would reset the
  /// connection and might discard our last line, so we wait until the peer closes.
  case lingering
  case closed

  /// Whether the connection is neither closed nor failed.
  var isUp: Bool {
    switch self {
    case .open, .inputEnded: true
    case .flushing, .lingering, .closed: false
    }
  }

  var isClosed: Bool {
    if case .closed = self { true } else { false }
  }

  /// Whether the socket has to be read.
  func wantsInput(whileReading isReading: Bool) -> Bool {
    switch self {
    case .open: isReading
    case .inputEnded, .closed: false
    case .flushing(let inputEnded): !inputEnded
    case .lingering: true
    }
  }
}
