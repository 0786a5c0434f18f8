import RIBs
import Shared
import TestSupport

/// The parent of a game, like Root and LoggedIn: it attaches the game, and detaches it when it is
/// over. It does not know where the rules run.
final class GameParent: TicTacToeDependency {
  let random = RandomSource(SeededGenerator(seed: 7))
  let botThinker: any BotThinker = ManualBotThinker()
  private(set) var game: (any GameRouting)?
  private(set) var setups: [GameSetup] = []
  /// One for each game, the latest last.
  private(set) var viewFactory: [RecordingGameView] = []
  private(set) var outcomes: [Outcome] = []
  private let router = Router(interactor: Interactor())

  init() {
    router.interactable.activate()
    router.load()
  }

  func attach(_ game: Game, setup: GameSetup) {
    setups.append(setup)
    let routing = game.builder(dependency: self).build(withListener: self, setup: setup)
    self.game = routing
    router.attachChild(routing)
  }

  /// Forgets everything, because the match begins again.
  func reset() {
    if let game { router.detachChild(game) }
    (game, setups, viewFactory, outcomes) = (nil, [], [], [])
  }

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    let view = RecordingGameView()
    viewFactory.append(view)
    return view
  }
}

extension GameParent: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    outcomes.append(outcome)
    guard let ended = game else { return }
    game = nil
    router.detachChild(ended)
  }
}
