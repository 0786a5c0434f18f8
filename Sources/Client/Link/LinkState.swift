import Foundation
import RIBs
import Shared

/// The state of the link to a server.
enum LinkState: Equatable {
  /// No connection is wanted.
  case idle
  case connecting
  /// The server has moved the session to another server; the link connects there next.
  case moved(ServerAddress)
  /// The server has sent its greeting.
  case open(Hello)
  case closed(LinkError)
}

/// The reason why a link has closed.
enum LinkError: Error, Equatable {
  case unknownHost
  /// With the system's reason.
  case cannotConnect(String)
  /// The server was reached, but TLS could not begin.
  case tls(TLSError)
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
    // Not even a bad certificate is final: the network of a hotel may show its own for a while.
    case .lost, .silent, .cannotConnect, .unknownHost, .tls: .zero
    // Even if the ban ends, nobody waits here for that long.
    case .bye(.kicked, _, _), .bye(.banned, _, _): nil
    case .bye(_, _, let retry): retry
    case .notOurServer, .outOfStep: nil
    }
  }
}

extension LinkError {
  /// Whether the operator has set another password, with which the player may come back at once.
  var needsNewPassword: Bool { if case .bye(.kicked, _, _?) = self { true } else { false } }

  /// Whether the session goes on over another connection.
  var isTakenOver: Bool { if case .bye(.takenOver, _, _) = self { true } else { false } }

  /// Whether what was received made no sense. Something on the way may have damaged it, and the
  /// session may go on at the server.
  var isDamage: Bool { self == .notOurServer || self == .outOfStep }

  /// Whether it says nothing of the session that was to be resumed: another program answers at the
  /// port, or a server that does not serve this client at the moment.
  var saysNothingOfSession: Bool {
    switch self {
    case .bye(.banned, _, _): false
    case .bye(_, _, let retry): retry == nil
    case .unknownHost, .cannotConnect, .tls, .lost, .silent, .notOurServer, .outOfStep: isDamage
    }
  }
}

extension EventLoop {
  /// Connects over TCP, and over TLS with a context. `answer` is called once, unless the returned
  /// attempt is cancelled.
  func connect(
    host: String, port: UInt16, tls: TLSContext? = nil,
    answer: @escaping (Result<any Connection, LinkError>) -> Void
  ) -> any Cancellable {
    let attempt = CompositeCancellable()
    let connector = Connector(loop: self, host: host, port: port) {
      [unowned self, weak attempt] result in
      guard let tls, case .success(let connection) = result else {
        return answer(result.mapError(LinkError.init))
      }
      do throws(TLSError) {
        let session = try tls.makeSession(with: host)
        let handshake = TLSHandshake(over: connection, session: session, timers: self) { result in
          answer(result.map { $0 }.mapError(LinkError.tls))
        }
        attempt?.insert(Connecting(cancel: handshake.cancel))
      } catch {
        connection.close()
        answer(.failure(.tls(error)))
      }
    }
    attempt.insert(Connecting(cancel: connector.cancel))
    return attempt
  }
}

extension TLSWording {
  static let client = TLSWording(
    peer: "server", own: "client",
    withoutTLS: "Name another port, or connect without --tls; then nothing is encrypted.",
    authorityOption: "--tls-ca", certificate: "This client has none.")
}

extension LinkError {
  init(_ error: ConnectError) {
    switch error {
    case .unknownHost: self = .unknownHost
    case .failed, .timedOut, .several: self = .cannotConnect(Self.reason(of: error))
    }
  }

  private static func reason(of error: ConnectError) -> String {
    switch error {
    case .unknownHost(let error): error.description
    case .failed(let error): error.reason
    case .timedOut: "the host does not answer"
    case .several(let errors): errors.map(reason).joined(separator: ", ")
    }
  }
}

extension LinkError {
  /// Whether the server stops, or did not run: its matches are gone then.
  var showsStop: Bool {
    switch self {
    case .bye(.shutdown, _, _): true
    case .cannotConnect(let reason):
      // Perhaps with the reasons of the host's other addresses.
      reason.contains(SystemError(call: "connect", code: ECONNREFUSED).reason)
    case .unknownHost, .tls, .bye, .lost, .silent, .notOurServer, .outOfStep: false
    }
  }
}

extension LinkError {
  /// Why a server that was reached does not serve this client, as a sentence without its end; `nil`
  /// if the next attempt may simply succeed.
  var obstacle: String? {
    switch self {
    case .bye(.full, _, _): "The server is full"
    case .bye(.shutdown, _, _): "The server is shutting down"
    case .tls(.certificate): "The server's certificate is refused"
    case .unknownHost, .cannotConnect, .tls, .bye, .lost, .silent, .notOurServer, .outOfStep: nil
    }
  }
}

private final class Connecting: Cancellable {
  private let cancelAttempt: () -> Void

  init(cancel: @escaping () -> Void) { cancelAttempt = cancel }

  func cancel() { cancelAttempt() }
}
