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
