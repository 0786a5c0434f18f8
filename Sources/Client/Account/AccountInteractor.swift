import RIBs
import Shared

typealias AccountPresentable = FormPresentable
typealias AccountPresentableListener = FormPresentableListener

/// Account's calls to OffGame.
protocol AccountListener: AnyObject {
  /// The form is no longer needed. `sentence` says what has changed; `nil` if nothing has.
  func accountDidFinish(with sentence: String?)
}

/// Registers the name of the session, changes its password, or gives the name up. Passwords stay
/// in the form, and go to the server only.
final class AccountInteractor: PresentableInteractor<any AccountPresentable>, AccountInteractable {
  weak var listener: (any AccountListener)?
  private let accounts: any AccountService
  private let purpose: AccountPurpose
  private let isAttended: Bool
  private var nameStatus = NameStatus(name: "", isRegistered: false)
  /// Whether the form's alert says that there is no connection.
  private var hasTemporaryAlert = false
  private var form = LoginForm(fields: []) {
    didSet { if form != oldValue { presenter.show(form) } }
  }

  init(
    presenter: any AccountPresentable, accounts: any AccountService, purpose: AccountPurpose,
    isAttended: Bool
  ) {
    self.accounts = accounts
    self.purpose = purpose
    self.isAttended = isAttended
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    readStatus()
    if purpose == .unregister, !nameStatus.isRegistered {
      listener?.accountDidFinish(with: "“\(nameStatus.name)” is not registered.")
    } else if isAttended {
      form = LoginForm(purpose, nameStatus)
      accounts.returns.subscribe { [weak self] in self?.connectionDidReturn() }
        .disposeOnDeactivate(interactor: self)
    } else {
      submitFilePassword()
    }
  }

  /// Only the status as it is now counts.
  private func readStatus() {
    accounts.nameStatus.subscribe { [weak self] in self?.nameStatus = $0 }.cancel()
  }

  /// A script has no form: its password is in a file.
  private func submitFilePassword() {
    guard let password = accounts.filePassword else {
      listener?.accountDidFinish(
        with: "Write the password to a file, and set \(PasswordFile.variable) to its name.")
      return
    }
    if purpose == .setPassword, nameStatus.isRegistered {
      listener?.accountDidFinish(
        with: "“\(nameStatus.name)” is registered already. To change its password, type"
          + " register at a terminal.")
    } else {
      send(new: password, present: password)
    }
  }

  private func send(new: String, present: String) {
    let sentence = success
    let answer: RequestAnswer<Void> = { [weak self] in
      self?.didAnswer($0.map { sentence })
    }
    switch purpose {
    case .setPassword:
      accounts.register(
        password: new, old: nameStatus.isRegistered ? present : nil, answer: answer)
    case .unregister: accounts.unregister(password: present, answer: answer)
    }
  }

  /// What is said when it is done.
  private var success: String {
    let name = "“\(nameStatus.name)”"
    return switch (purpose, nameStatus.isRegistered) {
    case (.setPassword, false):
      "\(name) is registered. To log in under this name takes its password now."
    case (.setPassword, true): "The password of \(name) is changed."
    case (.unregister, _): "\(name) is no longer registered. You keep the name until you leave."
    }
  }

  /// The reply may have been lost with the connection.
  private func connectionDidReturn() {
    guard hasTemporaryAlert, form.state == .editing else { return }
    hasTemporaryAlert = false
    let (before, sentence) = (nameStatus, success)
    readStatus()
    if nameStatus.isRegistered != before.isRegistered {
      listener?.accountDidFinish(with: sentence)
    } else if purpose == .setPassword, before.isRegistered {
      form.alert =
        "The connection was lost. If the present password is refused now, the new one holds."
    } else {
      form.alert = "The connection was lost, and nothing has changed. Try again."
    }
  }

  private func didAnswer(_ answer: Result<String, RequestError>) {
    guard isActive else { return }
    switch answer {
    case .success(let sentence): listener?.accountDidFinish(with: sentence)
    case .failure(let error) where !isAttended: listener?.accountDidFinish(with: error.sentence)
    case .failure(let error):
      var new = form
      new.state = .editing
      new.alert = error.sentence
      hasTemporaryAlert = error.isTemporary
      form = new
    }
  }
}

extension AccountInteractor: AccountPresentableListener {
  func didChange(field index: Int, to value: String) {
    guard form.state == .editing else { return }
    // One change, because the view shows an alert each time that it gets one.
    var new = form
    new.fields[index].value = value
    new.alert = nil
    hasTemporaryAlert = false
    form = new
  }

  func didSubmit() {
    guard form.state == .editing else { return }
    let values = form.fields.map(\.value)
    guard let present = values.first, let new = values.last else { return }
    hasTemporaryAlert = false
    guard values.allSatisfy(Command.isPassword) else { return form.alert = PasswordFile.rule }
    if purpose == .setPassword, values[values.count - 2] != new {
      form.alert = "The new passwords differ. Type the same one twice."
      return
    }
    form.alert = nil
    form.state = .loggingIn("Asking the server …")
    send(new: new, present: present)
  }

  func didCancel() {
    if form.state == .editing { listener?.accountDidFinish(with: nil) }
  }
}

extension LoginForm {
  /// The form of an account. A new password is typed twice, because nobody sees it.
  fileprivate init(_ purpose: AccountPurpose, _ nameStatus: NameStatus) {
    let name = "“\(nameStatus.name)”"
    let present = LoginField(.password, label: "Present password")
    let new = [
      LoginField(.password, label: "New password"), LoginField(.password, label: "Once more"),
    ]
    switch (purpose, nameStatus.isRegistered) {
    case (.setPassword, false):
      self.init(
        title: "Register \(name)", verb: "register",
        note: "From then on nobody can log in as \(nameStatus.name) without this password.",
        fields: new)
    case (.setPassword, true):
      self.init(title: "Change the password of \(name)", verb: "change it", fields: [present] + new)
    case (.unregister, _):
      self.init(
        title: "Give \(name) up", verb: "give it up",
        note: "Its account and its ratings are deleted. Finished games stay in the history.",
        fields: [LoginField(.password, label: "Password")])
    }
    canClose = true
  }
}
