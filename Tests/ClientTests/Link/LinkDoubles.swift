import RIBs
import Shared

@testable import Client

/// A link's connect attempts, which the test completes.
final class ConnectAttempts {
  private(set) var all: [ConnectAttempt] = []

  var last: ConnectAttempt? { all.last }

  func add(
    _ target: String, _ answer: @escaping (Result<any Connection, LinkError>) -> Void
  ) -> ConnectAttempt {
    let attempt = ConnectAttempt(target, answer)
    all.append(attempt)
    return attempt
  }
}

/// One connect attempt. The test can complete it even after it was cancelled.
final class ConnectAttempt: Cancellable {
  let target: String
  let answer: (Result<any Connection, LinkError>) -> Void
  private(set) var isCancelled = false

  init(_ target: String, _ answer: @escaping (Result<any Connection, LinkError>) -> Void) {
    self.target = target
    self.answer = answer
  }

  func cancel() { isCancelled = true }
}

/// Records the states and the events of a link.
final class LinkRecorder {
  private(set) var states: [LinkState] = []
  private(set) var events: [ReceivedEvent] = []

  init(_ link: ServerLink) {
    _ = link.state.subscribe { [weak self] in self?.states.append($0) }
    _ = link.events.subscribe { [weak self] in self?.events.append($0) }
  }
}
