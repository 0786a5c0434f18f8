import RIBs
import Shared

/// Logs people in to a server. Owned by `RemoteGameService`.
final class RemoteLoginService: LoginService {
  /// Called with each login that the server has accepted, before any waiting command is sent.
  var onLogin: (Login) -> Void = { _ in }
  private let authenticator: Authenticator
  private let session: RemoteSession
  private let link: ServerLink
  private let match: RemoteMatch
  private let random: RandomSource
  private let isAttended: Bool

  init(
    authenticator: Authenticator, session: RemoteSession, link: ServerLink, match: RemoteMatch,
    random: RandomSource, isAttended: Bool
  ) {
    self.authenticator = authenticator
    self.session = session
    self.link = link
    self.match = match
    self.random = random
    self.isAttended = isAttended
  }

  var fields: [LoginField] { authenticator.fields }

  func problems(with values: [String]) -> [String?] { authenticator.problems(with: values) }

  func login(
    with values: [String], password: String?, progress: @escaping (LoginProgress) -> Void,
    answer: @escaping (Result<[String], LoginFormError>) -> Void
  ) -> any Cancellable {
    let answer: LoginAttempt.Answer = { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let login):
        didLogin(login)
        answer(.success([login.name]))
        // Only now there is a view that can show it.
        if let problem = authenticator.problem { session.notify(problem) }
      case .failure(let error):
        let shown = authenticator.formError(
          of: error, with: values, password: password, canAsk: isAttended)
        answer(.failure(shown))
      }
    }
    // Somebody who types a password sees the refusal, and tries again.
    guard isAttended, password == nil, authenticator.keepsSession(for: values) else {
      return authenticator.logIn(
        with: values, password: password, progress: { progress(LoginProgress(step: $0)) },
        answer: answer)
    }
    let login = KeptSessionLogin(
      over: link, sentence: { [authenticator] in authenticator.sentence(about: $0) },
      attempt: { [authenticator] in
        authenticator.logIn(with: values, password: nil, progress: $0, answer: $1)
      }, progress: progress, answer: answer)
    login.begin(timers: link.timers, random: random)
    return login
  }

  private func didLogin(_ login: Login) {
    onLogin(login)
    link.sendWaiting()
    if let server = authenticator.node { match.news.sessionDidMove(to: server) }
  }
}
