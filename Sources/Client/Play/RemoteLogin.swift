import Shared

/// One login at a server: connects, unless there is a connection to it, and gives the name. It
/// answers once; cancelled before, it closes the connection.
final class RemoteLogin: Cancellable {
  typealias Answer = (Result<[String], LoginRefusal>) -> Void

  private let link: ServerLink
  private let address: ServerAddress
  private let name: String?
  private let progress: (String) -> Void
  /// `nil` once it is over.
  private var answer: Answer?
  private let subscription = CompositeCancellable()

  /// Without a name, the server picks one.
  init(
    as name: String?, at address: ServerAddress, over link: ServerLink,
    progress: @escaping (String) -> Void, answer: @escaping Answer
  ) {
    self.name = name
    self.address = address
    self.link = link
    self.progress = progress
    self.answer = answer
  }

  func begin() {
    if !link.isOpen || link.address != address {
      progress("Connecting to \(address) …")
      link.connect(to: address)
    }
    // Until it is over the link keeps it.
    subscription.insert(link.state.subscribe { self.linkDidChange($0) })
  }

  func cancel() {
    guard answer != nil else { return }
    end()
    link.disconnect()
  }

  private func linkDidChange(_ state: LinkState) {
    switch state {
    case .connecting: break
    case .open: giveName()
    case .closed(let failure): end()?(.failure(failure.refusal(from: address)))
    case .idle: end()
    }
  }

  private func giveName() {
    progress("Logging in …")
    link.send(.login(name: name, password: nil)) { event in
      if case .didLogin(let name, _, _) = event { self.end()?(.success([name])) }
      if case .error(_, let message, _, _) = event {
        self.end()?(.failure(LoginRefusal(sentence: message)))
      }
    }
  }

  /// Who waits for the answer, once.
  @discardableResult
  private func end() -> Answer? {
    subscription.cancel()
    defer { answer = nil }
    return answer
  }
}
