/// The form of an account on the full screen.
final class AccountView: AccountViewControllable {
  weak var listener: (any AccountPresentableListener)?
  private let screen: Screen
  private var scene: FormScene? {
    didSet { if scene != oldValue { screen.setNeedsDisplay() } }
  }

  init(screen: Screen) {
    self.screen = screen
  }

  func show(_ form: LoginForm) {
    if scene == nil { scene = FormScene(form: form) } else { scene?.form = form }
  }
}

extension AccountView: ScreenView {
  var minimumSize: Size { GameLayout.minimumSize }
  var keys: [KeyHelp] { scene?.keys ?? [] }
  var leaveKey: KeyHelp? { KeyHelp("Esc", "back") }
  var isTyping: Bool { scene?.isLoggingIn == false }

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
