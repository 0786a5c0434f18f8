import Shared

/// What the form shows.
protocol LoggedOutPresentable: Presentable {
  var listener: (any LoggedOutPresentableListener)? { get set }
  func ask(_ field: NameField)
  func show(_ refusal: LoginRefusal)
}

/// What the form tells the root.
protocol LoggedOutListener: AnyObject {
  /// Everybody who plays here has a name now.
  func didLogin(as names: [String])
}

/// Asks for the names, one after another, and logs in.
final class LoggedOutInteractor: PresentableInteractor<any LoggedOutPresentable>,
  LoggedOutInteractable
{
  weak var listener: (any LoggedOutListener)?
  private let service: any LoginService
  private let presetNames: [String]
  private var names: [String] = []
  private var isLoggingIn = false

  init(
    presenter: any LoggedOutPresentable, service: any LoginService, presetNames: [String]
  ) {
    self.service = service
    self.presetNames = presetNames
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    names = presetNames
    goOn()
  }

  /// Asks for the next name, or logs in when there are all.
  private func goOn() {
    let fields = service.namesAsked
    guard names.count >= fields.count else { return presenter.ask(fields[names.count]) }
    isLoggingIn = true
    service.login(as: names) { [weak self] answer in
      guard let self, isActive else { return }
      didAnswer(answer)
    }
  }

  private func didAnswer(_ answer: Result<[String], LoginRefusal>) {
    isLoggingIn = false
    switch answer {
    case .success(let names):
      listener?.didLogin(as: names)
    case .failure(let refusal):
      presenter.show(refusal)
      names = []
      goOn()
    }
  }
}

extension LoggedOutInteractor: LoggedOutPresentableListener {
  func didEnter(name: String) {
    guard !isLoggingIn else { return }
    names.append(name)
    goOn()
  }
}
