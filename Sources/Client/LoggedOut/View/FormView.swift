import RIBs

/// The calls of LoggedOut and of Account to the views of their forms.
protocol FormPresentable: Presentable {
  var listener: (any FormPresentableListener)? { get set }
  /// Shows the form; called first, and at each change.
  func show(_ form: LoginForm)
}

/// The actions of a person at a form.
protocol FormPresentableListener: AnyObject {
  /// Changes a field. Does nothing while the server is asked.
  func didChange(field index: Int, to value: String)
  /// Asks the server. If a field has a problem, shows it as the form's alert instead.
  func didSubmit()
  /// Cancels the current login, or closes the form of an account.
  func didCancel()
}

protocol FormViewControllable: ViewControllable, FormPresentable {}

/// The login form, or the form of an account, on the full screen.
final class FormView: FormViewControllable {
  weak var listener: (any FormPresentableListener)?
  private let screen: Screen
  private var scene: FormScene? {
    didSet { if scene != oldValue { screen.setNeedsDisplay() } }
  }

  init(screen: Screen) {
    self.screen = screen
  }

  func show(_ form: LoginForm) {
    var form = form
    if !form.canClose {
      form.alert = form.alert?.withoutTyping
      // The form has replaced another screen by itself, whatever that one was waiting for.
      if scene == nil, form.alert != nil { screen.holdKeys() }
    }
    if scene == nil { scene = FormScene(form: form) } else { scene?.form = form }
  }
}

extension FormView: ScreenView {
  var minimumSize: Size { GameLayout.minimumSize }
  var keys: [KeyHelp] { scene?.keys ?? [] }
  var leaveKey: KeyHelp? { scene?.form.canClose == true ? KeyHelp("Esc", "back") : nil }
  var isTyping: Bool { scene?.isLoggingIn == false }
  var usesTab: Bool { scene?.isBeforeLastField == true }
  var isAwaitingReply: Bool { scene?.isLoggingIn == true }

  var summary: [String] { scene?.summary ?? [] }
  var spoken: [String] { scene?.spoken ?? [] }

  func say(_ sentence: String) {
    scene?.notices.add(sentence.withoutTyping, at: screen.now)
  }

  func removeNotices() {
    scene?.notices.removeAll()
  }

  func draw(into frame: inout Frame) {
    scene?.notices.expire(at: screen.now)
    scene?.draw(into: &frame)
  }

  func press(_ key: Key) -> KeyEffect {
    scene?.notices.didPress(at: screen.now)
    guard let (action, isUsed) = scene?.press(key, in: screen.size) else { return .unused }
    switch action {
    case .change(let field, let value): listener?.didChange(field: field, to: value)
    case .submit: listener?.didSubmit()
    case .cancel: listener?.didCancel()
    case nil: return isUsed ? .used : .unused
    }
    return .used
  }
}
