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
  /// The server has said goodbye, with its sentence.
  case bye(ByeCode, String)
  /// The connection ended without a goodbye.
  case lost
  /// The other end takes connections but does not greet.
  case silent
  /// What the other end writes is not this protocol.
  case notOurServer
  /// The server's events do not fit together.
  case outOfStep
}
