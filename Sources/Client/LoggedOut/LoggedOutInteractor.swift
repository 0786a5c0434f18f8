import Shared

/// What the form shows.
protocol LoggedOutPresentable: Presentable {
  var listener: (any LoggedOutPresentableListener)? { get set }
  /// Called first of all, and whenever the form has changed.
  func show(_ form: LoginForm)
}

/// What the form tells the root.
protocol LoggedOutListener: AnyObject {
  /// Everybody who plays here has a name now.
  func didLogin(as names: [String])
  /// A name of the command line is refused, and nobody is there to choose another; the sentence says
  /// why.
  func presetNameDidFail(_ sentence: String)
}

/// Keeps the form, and logs in.
final class LoggedOutInteractor: PresentableInteractor<any LoggedOutPresentable>,
  LoggedOutInteractable
{
  weak var listener: (any LoggedOutListener)?
  private let service: any LoginService
  private let presetNames: [String]
  private let isAttended: Bool
  private var form: LoginForm {
    didSet { if form != oldValue { presenter.show(form) } }
  }
  /// The login that is under way.
  private var login: CompositeCancellable?

  init(
    presenter: any LoggedOutPresentable, service: any LoginService, presetNames: [String],
    isAttended: Bool = true, alert: String? = nil
  ) {
    self.service = service
    self.presetNames = presetNames
    self.isAttended = isAttended
    form = LoginForm(fields: service.fields)
    super.init(presenter: presenter)
    let names = form.fields.indices.filter { form.fields[$0].kind == .name }
    for (index, name) in zip(names, presetNames) { form.fields[index].value = name }
    form = checked(form)
    form.alert = alert
    presenter.listener = self
  }

  override func didBecomeActive() {
    if presetNames.isEmpty { presenter.show(form) } else { didSubmit() }
  }

  override func willResignActive() {
    didCancel()
  }

  /// The form with the problems of its present values.
  private func checked(_ form: LoginForm) -> LoginForm {
    var form = form
    for (index, problem) in service.problems(with: form.values).enumerated() {
      form.fields[index].problem = problem
    }
    return form
  }

  private func didAnswer(_ answer: Result<[String], LoginFormError>) {
    login = nil
    switch answer {
    case .success(let names):
      listener?.didLogin(as: names)
    case .failure(let refusal):
      refuse(refusal.sentence)
    }
  }

  private func refuse(_ sentence: String) {
    guard isAttended || presetNames.isEmpty else {
      listener?.presetNameDidFail(sentence)
      return
    }
    form = LoginForm(fields: form.fields, alert: sentence)
  }
}

extension LoggedOutInteractor: LoggedOutPresentableListener {
  func didChange(field index: Int, to value: String) {
    guard form.phase == .editing else { return }
    var fields = form.fields
    fields[index].value = value
    form = checked(LoginForm(fields: fields))
  }

  func didSubmit() {
    guard form.phase == .editing else { return }
    if let problem = form.fields.lazy.compactMap(\.problem).first { return refuse(problem) }
    form = LoginForm(fields: form.fields, phase: .loggingIn("Logging in …"))
    let login = CompositeCancellable()
    self.login = login
    // Who answers at once does so before there is anything to cancel.
    login.insert(
      service.login(
        with: form.values,
        progress: { [weak self, weak login] sentence in
          guard let self, let login, self.login === login else { return }
          form.phase = .loggingIn(sentence)
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
    form.phase = .editing
  }
}

/// What a person does at the form.
protocol LoggedOutPresentableListener: AnyObject {
  /// Fills a field in; while a login is under way nothing can be changed.
  func didChange(field index: Int, to value: String)
  /// Logs in. Where a field has a problem, that becomes the form's alert instead.
  func didSubmit()
  /// Takes a login that is under way back.
  func didCancel()
}
