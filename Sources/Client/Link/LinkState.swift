import Shared

/// How a link to the server is.
enum LinkState: Equatable {
  /// Nobody wants a connection.
  case idle
  case connecting
  /// The server has greeted.
  case open(Hello)
  case closed(LinkFailure)
}

/// Why a link is closed.
enum LinkFailure: Error, Equatable {
  case unknownHost
  /// With the system's words.
  case cannotConnect(String)
  /// The server has said goodbye, with its sentence; `retry` is when a new connection is welcome,
  /// `nil` where none is.
  case bye(ByeCode, String, retry: Duration? = nil)
  /// The connection ended without a goodbye.
  case lost
  /// The other end takes connections but does not greet, or does not answer any more.
  case silent
  /// What the other end writes is not this protocol.
  case notOurServer
  /// The server's events do not fit together.
  case outOfStep

  /// Until another connection may be tried in the place of one that ended so; `nil` where that is of
  /// no use.
  var retry: Duration? {
    switch self {
    case .lost, .silent, .cannotConnect, .unknownHost: .zero
    case .bye(_, _, let retry): retry
    case .notOurServer, .outOfStep: nil
    }
  }
}

/// Where a server is. Its description is for people.
struct ServerAddress: Equatable, CustomStringConvertible {
  let host: String
  let port: UInt16

  var description: String { "\(host) port \(port)" }
}
