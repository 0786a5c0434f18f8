import TestSupport

@testable import Shared

/// The RIB above a game: records the calls it gets, and can react to them at once.
final class GameListenerMock: GameListener {
  private(set) var outcomes: [Outcome] = []
  var onEnd: () -> Void = {}

  func gameDidEnd(with outcome: Outcome) {
    outcomes.append(outcome)
    onEnd()
  }
}

/// The component of the RIB above a game.
final class TicTacToeDependencyMock: TicTacToeDependency {
  let random = RandomSource(SeededGenerator(seed: 5))
  let botThinker: any BotThinker
  let view: any TicTacToeViewControllable
  private(set) var asked: [(game: GameInfo, setup: GameSetup)] = []

  init(
    view: any TicTacToeViewControllable = RecordingGameView(),
    botThinker: any BotThinker = ManualBotThinker()
  ) {
    self.view = view
    self.botThinker = botThinker
  }

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    asked.append((game, setup))
    return view
  }
}

/// A view that moves as soon as it is shown something, as a hasty player would.
final class HastyView: TicTacToeViewControllable {
  weak var listener: (any TicTacToePresentableListener)?
  private(set) var journal: [String] = []

  func show(_ board: Board) { journal.append("show") }

  func apply(_ change: Change) {
    journal.append("\(change.placement.mark.letter) begins")
    journal.append("\(change.placement.mark.letter) ends")
  }

  func refuse(_ refusal: MoveError, to mark: Mark?) { journal.append("refuse") }

  func announce(_ outcome: Outcome) { journal.append("announce") }
}

extension GameSetup {
  static func between(
    _ x: Player, _ o: Player, shape: BoardShape = .ticTacToe
  ) -> GameSetup {
    GameSetup(series: Series(PerMark(x: x, o: o)), seat: .both, board: Board(shape))
  }
}
