import RIBs
import Shared

typealias LoggedOutPresentable = FormPresentable
typealias LoggedOutPresentableListener = FormPresentableListener

/// LoggedOut's calls to the root.
protocol LoggedOutListener: AnyObject {
  /// The login has succeeded. `names` are the names of all people at this client.
  func didLogin(as names: [String])
  /// The login has failed, and nobody is there who could choose another name or type a password.
  func loginDidFail(_ sentence: String)
}

/// Holds the login form and logs in.
final class LoggedOutInteractor: PresentableInteractor<any LoggedOutPresentable>,
  LoggedOutInteractable
{
  weak var listener: (any LoggedOutListener)?
  private let service: any LoginService
  /// Whether the preset names are all that the form needs, or cannot be used.
  private let submitsAtOnce: Bool
  private let isAttended: Bool
  private var form: LoginForm {
    didSet { if form != oldValue { presenter.show(form) } }
  }
  /// The current login; `nil` if there is none.
  private var login: CompositeCancellable?

  init(
    presenter: any LoggedOutPresentable, service: any LoginService, presetNames: [String],
    isAttended: Bool = true, alert: LoginFormError? = nil
  ) {
    self.service = service
    self.isAttended = isAttended
    var form = LoginForm(fields: service.fields)
    let names = form.fields.indices.filter { form.fields[$0].kind == .name }
    for (index, name) in zip(names, presetNames) { form.fields[index].value = name }
    form = form.checked(by: service)
    form.alert = alert?.sentence
    if alert?.needsPassword == true { form.askForPassword() }
    let preset = names.prefix(presetNames.count)
    submitsAtOnce =
      !preset.isEmpty
      && (preset.count == names.count || preset.contains { form.fields[$0].problem != nil })
    self.form = form
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    if submitsAtOnce { didSubmit() } else { presenter.show(form) }
  }

  override func willResignActive() {
    didCancel()
  }

  private func didAnswer(_ answer: Result<[String], LoginFormError>) {
    login = nil
    switch answer {
    case .success(let names):
      listener?.didLogin(as: names)
    case .failure(let refusal) where refusal.needsPassword:
      askForPassword(refusal.sentence)
    case .failure(let refusal):
      refuse(refusal.sentence)
    }
  }

  private func askForPassword(_ sentence: String) {
    guard isAttended else { return listener?.loginDidFail(sentence) ?? () }
    var form = LoginForm(fields: form.fields, alert: sentence)
    form.askForPassword()
    self.form = form
  }

  private func refuse(_ sentence: String) {
    guard isAttended || !submitsAtOnce else {
      listener?.loginDidFail(sentence)
      return
    }
    form = LoginForm(fields: form.fields, alert: sentence)
  }
}

extension LoggedOutInteractor: LoggedOutPresentableListener {
  func didChange(field index: Int, to value: String) {
    guard form.state == .editing else { return }
    var new = LoginForm(fields: form.fields)
    new.fields[index].value = value
    // The password belongs to the name as it was.
    if new.fields[index].kind == .name { new.removePassword() }
    form = new.checked(by: service)
  }

  func didSubmit() {
    guard form.state == .editing else { return }
    if let problem = form.fields.lazy.compactMap(\.problem).first { return refuse(problem) }
    // Without a password the name may be had by the secret that this client keeps.
    let password = form.password.flatMap { $0.isEmpty ? nil : $0 }
    if let password, !Command.isPassword(password) { return refuse(PasswordFile.rule) }
    form = LoginForm(fields: form.fields, state: .loggingIn("Logging in …"))
    let login = CompositeCancellable()
    self.login = login
    // A service may call `answer` before `login` returns.
    login.insert(
      service.login(
        with: form.values, password: password,
        progress: { [weak self, weak login] progress in
          guard let self, let login, self.login === login else { return }
          form = LoginForm(
            fields: form.fields, state: .loggingIn(progress.step), alert: progress.failure)
        },
        answer: { [weak self, weak login] answer in
          guard let self, let login, self.login === login else { return }
          didAnswer(answer)
        }))
  }

  func didCancel() {
    guard let login else { return }
    self.login = nil
    login.cancel()
    form.state = .editing
  }
}
