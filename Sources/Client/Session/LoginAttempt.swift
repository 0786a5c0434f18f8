import RIBs
import Shared

/// The result of a login.
struct Login: Equatable {
  let name: String
  /// The token that resumes the session on another connection, once.
  let token: String?
  /// The state of a resumed session; `nil` for a new one.
  let place: SessionPlace?
  /// Whether it is another session than the one that was to be resumed: that of `formerToken`.
  var isFormer = false
  /// Whether the name belongs to an account.
  var isRegistered = false
}

/// The reason why a login failed.
enum LoginError: Error, Equatable {
  case link(LinkError)
  /// The server has refused the login. With the server's sentence.
  case refused(ErrorCode, String)
}

/// One attempt to log in to a server. It connects if necessary, then resumes a session or sends the
/// name, also if the server moves the session to another one meanwhile. `answer` is called once,
/// unless the attempt is cancelled, which closes the connection.
final class LoginAttempt: Cancellable {
  typealias Answer = (Result<Login, LoginError>) -> Void

  private let link: ServerLink
  private let address: ServerAddress
  private let credentials: Credentials?
  /// Whether the session of `formerToken` is being resumed.
  private var isFormer = false
  private let isAddressShown: Bool
  private let progress: (String) -> Void
  /// `nil` once the attempt is over.
  private var answer: Answer?
  private let subscription = CompositeCancellable()

  /// Without a name, the server chooses one.
  struct Credentials {
    let name: String?
    let password: String?
    /// Sent only if the server asks for a password, or for another one than `password`.
    var reservePassword: String?
    var kept: KeptSession?
    /// If the kept session is over and the name is taken, it may be the session of this token that
    /// has the name; it is resumed then.
    var formerToken: String?
    /// Whether a new session begins if the kept one is over.
    var mayStartOver = true
  }

  /// A session to resume.
  struct KeptSession {
    let token: String
    /// The number of the last event received in its match.
    let seq: Int?
  }

  /// Without credentials, the attempt only connects, and succeeds with a login without a name.
  init(
    with credentials: Credentials?, at address: ServerAddress, over link: ServerLink,
    isAddressShown: Bool = true, progress: @escaping (String) -> Void = { _ in },
    answer: @escaping Answer
  ) {
    self.credentials = credentials
    self.address = address
    self.link = link
    self.isAddressShown = isAddressShown
    self.progress = progress
    self.answer = answer
  }

  func begin() {
    if link.target != address {
      progress(isAddressShown ? "Connecting to \(address) …" : "Connecting …")
      link.connect(to: address)
    }
    // The strong reference keeps the attempt alive until it ends.
    subscription.insert(link.state.subscribe { self.linkDidChange($0) })
  }

  func cancel() {
    guard answer != nil else { return }
    end()
    link.disconnect()
  }

  private func linkDidChange(_ state: LinkState) {
    switch state {
    case .connecting, .moved: break
    case .open:
      guard let credentials else { return didAnswer(.didLogin(name: "", token: nil)) }
      progress("Logging in …")
      if let kept = credentials.kept {
        resume(kept, of: credentials)
      } else {
        sendName(of: credentials, credentials.password)
      }
    case .closed(let error): end()?(.failure(.link(error)))
    case .idle: end()
    }
  }

  private func resume(_ kept: KeptSession, of credentials: Credentials) {
    link.send(.resume(token: kept.token, seq: kept.seq)) { event in
      if case .error(.unknownToken, _, _, _) = event, credentials.mayStartOver {
        self.sendName(of: credentials, credentials.password)
      } else {
        self.didAnswer(event)
      }
    }
  }

  private func sendName(of credentials: Credentials, _ password: String?) {
    link.send(.login(name: credentials.name, password: password)) { event in
      if case .error(.wrongPassword, _, _, _) = event,
        let reserve = credentials.reservePassword, reserve != password
      {
        self.sendName(of: credentials, reserve)
      } else if event?.isAboutOwner == true, let former = credentials.formerToken {
        self.resume(former, insteadOf: event)
      } else {
        self.didAnswer(event)
      }
    }
  }

  /// `refusal` is the reply to the name, which stands if that session is over, too.
  private func resume(_ former: String, insteadOf refusal: Event?) {
    isFormer = true
    link.send(.resume(token: former, seq: nil)) { event in
      if case .error = event { self.didAnswer(refusal) } else { self.didAnswer(event) }
    }
  }

  private func didAnswer(_ event: Event?) {
    switch event {
    case .didLogin(let name, let token, let place, let isRegistered):
      end()?(
        .success(
          Login(
            name: name, token: token, place: place, isFormer: isFormer, isRegistered: isRegistered))
      )
    case .error(let code, let message, _, let retry):
      end()?(.failure(.refused(code, message.naming(retry))))
    // The link has closed, and its state gives the reason.
    case nil: break
    default: link.close(.notOurServer)
    }
  }

  /// Ends the attempt. Returns the closure to call with the result, once.
  @discardableResult
  private func end() -> Answer? {
    subscription.cancel()
    defer { answer = nil }
    return answer
  }
}

extension Event {
  /// Whether a name is refused because somebody has it.
  fileprivate var isAboutOwner: Bool {
    switch self {
    case .error(.nameTaken, _, _, _), .error(.wrongPassword, _, _, _): true
    default: false
    }
  }
}
