import Shared

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

/// An attempt to connect that can be cancelled.
private final class Connecting: Cancellable {
  private let connector: Connector

  init(_ connector: Connector) { self.connector = connector }

  func cancel() { connector.cancel() }
}
