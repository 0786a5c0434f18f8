import Shared

/// One login at a server: connects, unless there is a connection to it, and takes a session up or
/// gives the name. It answers once; cancelled before, it closes the connection.
final class RemoteLogin: Cancellable {
  typealias Answer = (Result<Login, LoginFailure>) -> Void

  private let link: ServerLink
  private let address: ServerAddress
  private let name: String?
  private let kept: KeptSession?
  private let progress: (String) -> Void
  /// `nil` once it is over.
  private var answer: Answer?
  private let subscription = CompositeCancellable()

  /// A session to take up, rather than begin a new one.
  struct KeptSession {
    let token: String
    /// The last event of its match that is here.
    let seq: Int?
  }

  /// Without a name, the server picks one. Where the kept session is over, a new one begins.
  init(
    as name: String?, kept: KeptSession?, at address: ServerAddress, over link: ServerLink,
    progress: @escaping (String) -> Void, answer: @escaping Answer
  ) {
    self.name = name
    self.kept = kept
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
    case .open:
      progress("Logging in …")
      if let kept { resume(kept) } else { giveName() }
    case .closed(let failure): end()?(.failure(.link(failure)))
    case .idle: end()
    }
  }

  private func resume(_ kept: KeptSession) {
    link.send(.resume(token: kept.token, seq: kept.seq)) { event in
      if case .error(.unknownToken, _, _, _) = event { self.giveName() } else { self.take(event) }
    }
  }

  private func giveName() {
    link.send(.login(name: name, password: nil)) { self.take($0) }
  }

  private func take(_ event: Event?) {
    switch event {
    case .didLogin(let name, let token, let place):
      end()?(.success(Login(name: name, token: token, place: place)))
    case .error(let code, let message, _, _):
      end()?(.failure(.refused(code, message)))
    default: break
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

/// What a server says to one who has logged in.
struct Login: Equatable {
  let name: String
  /// With it the session can be taken up on another connection, once.
  let token: String?
  /// Where the session that was taken up is; `nil` for a new one.
  let place: SessionPlace?
}

/// Why somebody is not logged in.
enum LoginFailure: Error, Equatable {
  case link(LinkFailure)
  /// With the server's sentence.
  case refused(ErrorCode, String)
}
