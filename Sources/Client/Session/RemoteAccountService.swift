import RIBs
import Shared

/// The account of the person's name on a server. Owned by `RemoteGameService`.
final class RemoteAccountService: AccountService {
  private let current = CurrentValue(NameStatus(name: "", isRegistered: false))
  private let session: RemoteSession
  private let authenticator: Authenticator

  init(session: RemoteSession, authenticator: Authenticator) {
    self.session = session
    self.authenticator = authenticator
  }

  var nameStatus: Stream<NameStatus> { current.stream }
  var returns: Stream<Void> { session.returns }
  var filePassword: String? { authenticator.filePassword }

  func register(password: String, old: String?, answer: @escaping RequestAnswer<Void>) {
    change(to: password, by: .register(password: password, old: old), answer) {
      if case .didRegister(let name) = $0 { name } else { nil }
    }
  }

  func unregister(password: String, answer: @escaping RequestAnswer<Void>) {
    change(to: nil, by: .unregister(password: password), answer) {
      if case .didUnregister(let name) = $0 { name } else { nil }
    }
  }

  /// A session has begun, or continues, under the name of the login.
  func didLogin(_ login: Login) {
    current.send(NameStatus(name: login.name, isRegistered: login.isRegistered))
  }

  /// `name` returns the name of the account from the reply.
  private func change(
    to password: String?, by command: Command, _ answer: @escaping RequestAnswer<Void>,
    name: @escaping (Event) -> String?
  ) {
    let didReply = { [weak self] (result: Result<String, RequestError>) in
      switch result {
      case .success(let name): self?.didChange(name, password)
      case .failure(let error):
        guard error.isTemporary, let password else { break }
        self?.authenticator.mayHaveChangedPassword(to: password)
      }
      answer(result.map { _ in })
    }
    session.commands.request(command, didReply, read: name)
  }

  private func didChange(_ name: String, _ password: String?) {
    authenticator.didChangePassword(to: password)
    current.send(NameStatus(name: name, isRegistered: password != nil))
  }
}
