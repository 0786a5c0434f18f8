import Shared

/// Finished games on the full screen.
final class HistoryView: HistoryViewControllable {
  weak var listener: (any HistoryPresentableListener)?
  private let screen: Screen
  private var scene = HistoryScene() {
    didSet { if scene != oldValue { screen.setNeedsDisplay() } }
  }

  init(screen: Screen) {
    self.screen = screen
  }

  func show(_ history: History) {
    scene.history = history
  }
}

extension HistoryView: ScreenView {
  var minimumSize: Size { GameLayout.minimumSize }
  var keys: [KeyHelp] { scene.keys }
  var leaveKey: KeyHelp? { KeyHelp("Esc", "back") }
  var isTyping: Bool { scene.name != nil }
  var usesTab: Bool { scene.name == nil }

  func say(_ sentence: String) {
    scene.notices.add(sentence.withoutTyping, at: screen.now)
  }

  func removeNotices() {
    scene.notices.removeAll()
  }

  func draw(into frame: inout Frame) {
    scene.notices.expire(at: screen.now)
    scene.draw(into: &frame)
  }

  func press(_ key: Key) -> KeyEffect {
    scene.notices.didPress(at: screen.now)
    let (action, isUsed) = scene.press(key, in: screen.size)
    switch action {
    case .show(let owner): listener?.show(gamesOf: owner)
    case .loadMore: listener?.loadMore()
    case .replay(let item): listener?.replay(item)
    case .close: listener?.close()
    case nil: return isUsed ? .used : .unused
    }
    return .used
  }
}
