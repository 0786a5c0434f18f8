import Shared

/// The best players of a game on the full screen.
final class LeaderboardView: LeaderboardViewControllable {
  weak var listener: (any LeaderboardPresentableListener)?
  private let screen: Screen
  private var scene: LeaderboardScene {
    didSet { if scene != oldValue { screen.setNeedsDisplay() } }
  }

  init(screen: Screen, names: [String]) {
    self.screen = screen
    scene = LeaderboardScene(names: names)
  }

  func show(_ list: Result<Leaderboard, RequestError>?, of game: String, isChoice: Bool) {
    scene.show(list, of: game, isChoice: isChoice)
  }
}

extension LeaderboardView: ScreenView {
  var minimumSize: Size { GameLayout.minimumSize }
  var keys: [KeyHelp] { scene.keys }
  var leaveKey: KeyHelp? { KeyHelp("Esc", "back") }

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
    case .showGame(let steps): listener?.showGame(by: steps)
    case .close: listener?.close()
    case nil: return isUsed ? .used : .unused
    }
    return .used
  }
}
