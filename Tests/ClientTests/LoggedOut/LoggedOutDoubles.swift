import RIBs
import Shared

@testable import Client

final class LoggedOutPresentableMock: LoggedOutPresentable {
  weak var listener: (any LoggedOutPresentableListener)?
  /// All forms that were shown, oldest first.
  private(set) var forms: [LoginForm] = []

  var form: LoginForm? { forms.last }

  func show(_ form: LoginForm) { forms.append(form) }
}

final class LoggedOutListenerMock: LoggedOutListener {
  private(set) var logins: [[String]] = []

  private(set) var failures: [String] = []

  func didLogin(as names: [String]) { logins.append(names) }
  func loginDidFail(_ sentence: String) { failures.append(sentence) }
}

/// A login service whose logins the test completes. It refuses the value “bot”.
final class LoginServiceMock: LoginService {
  final class Login: Cancellable {
    let values: [String]
    let password: String?
    let progress: (LoginProgress) -> Void
    let answer: (Result<[String], LoginFormError>) -> Void
    private(set) var isCancelled = false

    init(
      _ values: [String], _ password: String?,
      _ progress: @escaping (LoginProgress) -> Void,
      _ answer: @escaping (Result<[String], LoginFormError>) -> Void
    ) {
      (self.values, self.password) = (values, password)
      (self.progress, self.answer) = (progress, answer)
    }

    func cancel() { isCancelled = true }
  }

  static let problem = "Choose another."

  let fields: [LoginField]
  private(set) var logins: [Login] = []

  init(_ fields: LoginField...) {
    self.fields = fields
  }

  func problems(with values: [String]) -> [String?] {
    values.map { $0 == "bot" ? Self.problem : nil }
  }

  func login(
    with values: [String], password: String?, progress: @escaping (LoginProgress) -> Void,
    answer: @escaping (Result<[String], LoginFormError>) -> Void
  ) -> any Cancellable {
    let login = Login(values, password, progress, answer)
    logins.append(login)
    return login
  }
}
