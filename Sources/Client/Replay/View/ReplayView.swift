import RIBs
import Shared

/// A replay on the full screen: the view of the game, and a line that says where the replay is.
final class ReplayView: ReplayViewControllable {
  weak var listener: (any ReplayPresentableListener)?
  let showsAllAtOnce = false
  private let screen: Screen
  private var game: (any ScreenView)? { didSet { screen.setNeedsDisplay() } }
  private var scene = ReplayScene() {
    didSet { if scene != oldValue { screen.setNeedsDisplay() } }
  }

  init(screen: Screen) {
    self.screen = screen
  }

  func show(_ view: any ViewControllable) {
    (view as? TicTacToeView)?.isReplay = true
    game = view as? any ScreenView
  }

  func hide(_ view: any ViewControllable) {
    if game === view { game = nil }
  }

  func show(_ state: ReplayState) {
    scene.state = state
  }

  func show(_ news: MatchNews) {
    scene.news.news = news
  }

  func say(_ sentence: String?) {
    scene.sentence = sentence
  }
}

extension ReplayView: ScreenView {
  var minimumSize: Size { game?.minimumSize ?? GameLayout.minimumSize }
  var keys: [KeyHelp] { ReplayScene.keys }
  var summary: [String] { [scene.summary] }
  var leaveKey: KeyHelp? { KeyHelp("q", "leave") }
  var isTyping: Bool { scene.number != nil }

  func say(_ sentence: String) {
    scene.notices.add(sentence, at: screen.now)
  }

  func removeNotices() {
    scene.notices.removeAll()
  }

  func draw(into frame: inout Frame) {
    scene.notices.expire(at: screen.now)
    game?.draw(into: &frame)
    scene.draw(into: &frame, newsArea: game?.newsArea, now: screen.now)
  }

  func press(_ key: Key) -> KeyEffect {
    scene.notices.didPress(at: screen.now)
    let (action, isUsed) = scene.press(key)
    switch action {
    case .togglePause: listener?.togglePause()
    case .go(let steps): listener?.go(by: steps)
    case .goToGame(let games): listener?.go(byGames: games)
    case .goToMove(let move): listener?.go(toMove: move)
    case .goToEnd: listener?.goToEnd()
    case .faster: listener?.changeSpeed(isFaster: true)
    case .slower: listener?.changeSpeed(isFaster: false)
    case .close: listener?.close()
    case nil: return isUsed ? .used : .unused
    }
    return .used
  }
}
