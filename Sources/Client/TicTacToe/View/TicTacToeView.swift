import Shared

/// A game on the full screen, local or remote.
final class TicTacToeView: TicTacToeViewControllable {
  weak var listener: (any TicTacToePresentableListener)?
  private let screen: Screen
  private var scene: TicTacToeScene {
    didSet { if scene != oldValue { screen.setNeedsDisplay() } }
  }

  init(screen: Screen, game: GameInfo, setup: GameSetup) {
    self.screen = screen
    scene = TicTacToeScene(game: game, setup: setup)
  }

  func show(_ board: Board) {
    scene.board = board
    scene.lastMove = nil
  }

  func apply(_ change: Change) {
    scene.apply(change)
  }

  func refuse(_ refusal: MoveError, to mark: Mark?) {
    say(ErrorCode(refusal).message)
  }

  /// Does nothing, because OffGame shows the result.
  func announce(_ outcome: Outcome) {}
}

extension TicTacToeView: ScreenView {
  var minimumSize: Size { scene.minimumSize }
  var keys: [KeyHelp] { scene.keys }
  var newsArea: NewsScene.Area? { scene.newsArea(in: screen.size) }
  var isAsking: Bool { scene.question != nil }

  func say(_ sentence: String) {
    scene.message = sentence.withoutTyping
    scene.sent = nil
  }

  func draw(into frame: inout Frame) {
    scene.draw(into: &frame, now: screen.now)
  }

  func press(_ key: Key) -> KeyEffect {
    let (action, isUsed) = scene.press(key, in: screen.size)
    switch action {
    case .place(let cell):
      scene.sent = TicTacToeScene.SentMove(cell: cell, time: screen.now)
      listener?.place(at: cell, by: nil)
    case .resign: listener?.resign(by: nil)
    case .leave: return .leaveGame
    case nil: return isUsed ? .used : .unused
    }
    return .used
  }
}
