/// __NAME__ on the full screen.
final class __NAME__View: __NAME__ViewControllable {
  weak var listener: (any __NAME__PresentableListener)?
  private let screen: Screen
  private var scene = __NAME__Scene() {
    didSet { if scene != oldValue { screen.setNeedsDisplay() } }
  }

  init(screen: Screen) {
    self.screen = screen
  }

  func show(_ sentence: String) {
    scene.sentence = sentence
  }
}

extension __NAME__View: ScreenView {
  var minimumSize: Size { __NAME__Scene.minimumSize }
  var keys: [KeyHelp] { scene.keys }
  var leaveKey: KeyHelp? { KeyHelp("Esc", "back") }

  func draw(into frame: inout Frame) {
    scene.draw(into: &frame)
  }

  func press(_ key: Key) -> KeyEffect {
    switch scene.press(key) {
    case .close: listener?.close()
    case nil: return .unused
    }
    return .used
  }
}
