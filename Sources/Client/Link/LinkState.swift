import Foundation
import Shared

/// The state of the link to a server.
enum LinkState: Equatable {
  /// No connection is wanted.
  case idle
  case connecting
  /// The server has sent its greeting.
  case open(Hello)
  case closed(LinkError)
}

/// The reason why a link has closed.
enum LinkError: Error, Equatable {
  case unknownHost
  /// With the system's reason.
  case cannotConnect(String)
  /// The server has sent `bye`, with a sentence. `retry` is how long to wait before the next
  /// connection; `nil` means not to reconnect.
  case bye(ByeCode, String, retry: Duration? = nil)
  /// The connection ended without a `bye`.
  case lost
  /// The server accepted the connection but sent no greeting, or has stopped replying.
  case silent
  /// The other end does not speak this protocol.
  case notOurServer
  /// The server's events contradict each other.
  case outOfStep

  /// How long to wait before the next attempt to connect; `nil` if another attempt is useless.
  var retry: Duration? {
    switch self {
    case .lost, .silent, .cannotConnect, .unknownHost: .zero
    // Even if the ban ends, nobody waits here for that long.
    case .bye(.kicked, _, _), .bye(.banned, _, _): nil
    case .bye(_, _, let retry): retry
    case .notOurServer, .outOfStep: nil
    }
  }
}

/// The address of a server. Its description is for people.
struct ServerAddress: Equatable, CustomStringConvertible {
  let host: String
  let port: UInt16

  var description: String { "\(host) port \(port)" }
}

extension EventLoop {
  /// Connects over TCP. `answer` is called once, unless the returned attempt is cancelled.
  func connect(
    host: String, port: UInt16, answer: @escaping (Result<any Connection, LinkError>) -> Void
  ) -> any Cancellable {
    Connecting(
      Connector(loop: self, host: host, port: port) { result in
        answer(result.mapError(LinkError.init))
      })
  }
}

extension LinkError {
  init(_ error: ConnectError) {
    switch error {
    case .unknownHost: self = .unknownHost
    case .failed(let error): self = .cannotConnect(error.reason)
    case .timedOut: self = .cannotConnect("the host does not answer")
    }
  }
}

extension LinkError {
  /// Whether the server stops, or did not run: its matches are gone then.
  var showsStop: Bool {
    switch self {
    case .bye(.shutdown, _, _): true
    case .cannotConnect(let reason):
      reason == SystemError(call: "connect", code: ECONNREFUSED).reason
    case .unknownHost, .bye, .lost, .silent, .notOurServer, .outOfStep: false
    }
  }
}

/// An attempt to connect that can be cancelled.
private final class Connecting: Cancellable {
  private let connector: Connector

  init(_ connector: Connector) { self.connector = connector }

  func cancel() { connector.cancel() }
}
