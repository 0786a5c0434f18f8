/// The login form on the full screen.
final class LoggedOutView: LoggedOutViewControllable {
  weak var listener: (any LoggedOutPresentableListener)?
  private let screen: Screen
  private var scene: FormScene? {
    didSet { if scene != oldValue { screen.setNeedsDisplay() } }
  }

  init(screen: Screen) {
    self.screen = screen
  }

  func show(_ form: LoginForm) {
    var form = form
    form.alert = form.alert?.withoutTyping
    // The form has replaced another screen by itself, whatever that one was waiting for.
    if scene == nil, form.alert != nil { screen.holdKeys() }
    if scene == nil { scene = FormScene(form: form) } else { scene?.form = form }
  }
}

extension LoggedOutView: ScreenView {
  var minimumSize: Size { GameLayout.minimumSize }
  var keys: [KeyHelp] { scene?.keys ?? [] }
  var isTyping: Bool { scene?.isLoggingIn == false }
  var isAwaitingReply: Bool { scene?.isLoggingIn == true }

  var summary: [String] { scene?.summary ?? [] }

  func draw(into frame: inout Frame) {
    scene?.draw(into: &frame)
  }

  func press(_ key: Key) -> KeyEffect {
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
