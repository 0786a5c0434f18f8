import Shared

extension EventLoop {
  /// Connects over TCP, for a `ServerLink`.
  func connect(
    host: String, port: UInt16, answer: @escaping (Result<any Connection, LinkFailure>) -> Void
  ) -> any Cancellable {
    Connecting(
      Connector(loop: self, host: host, port: port) { result in
        answer(result.mapError(LinkFailure.init))
      })
  }
}

extension LinkFailure {
  init(_ error: ConnectError) {
    switch error {
    case .unknownHost: self = .unknownHost
    case .failed(let error): self = .cannotConnect(error.reason)
    case .timedOut: self = .cannotConnect("it does not answer")
    }
  }
}

/// An attempt to connect, as something that can be cancelled.
private final class Connecting: Cancellable {
  private let connector: Connector

  init(_ connector: Connector) { self.connector = connector }

  func cancel() { connector.cancel() }
}
