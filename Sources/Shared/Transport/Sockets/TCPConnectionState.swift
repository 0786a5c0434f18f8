/// How far a TCP connection has come.
enum TCPConnectionState {
  case open
  /// The peer has ended its input; we may still send.
  case inputEnded
  /// Closed by us; the rest goes out. Input is discarded so that a peer which writes before it
  /// reads is not held up.
  case flushing(inputEnded: Bool)
  /// All went out, and the peer knows that no more comes. To close with unread input would reset
  /// the connection, which can take our last line away: so we wait for the peer's end.
  case lingering
  case closed

  /// The owner's, neither closed nor failed.
  var isUp: Bool {
    switch self {
    case .open, .inputEnded: true
    case .flushing, .lingering, .closed: false
    }
  }

  var isClosed: Bool {
    if case .closed = self { true } else { false }
  }

  /// Whether something is to be read, where its owner reads.
  func wantsInput(whileReading isReading: Bool) -> Bool {
    switch self {
    case .open: isReading
    case .inputEnded, .closed: false
    case .flushing(let inputEnded): !inputEnded
    case .lingering: true
    }
  }
}
