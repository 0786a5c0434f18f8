import RIBs
import Shared

@testable import Server

/// Builds the server's game with a view that reports each board and outcome to the `ServerModel`.
final class ObservedGameBuilder: GameBuildable {
  private let builder: TicTacToeBuilder

  init(dependency: any TicTacToeDependency, game: GameInfo, model: ServerModel) {
    builder = TicTacToeBuilder(
      dependency: ObservedDependency(dependency, model: model), game: game)
  }

  func build(
    withListener listener: any GameListener, setup: GameSetup
  ) -> any GameRouting {
    builder.build(withListener: listener, setup: setup)
  }
}

private final class ObservedDependency: TicTacToeDependency {
  private let dependency: any TicTacToeDependency
  private let model: ServerModel

  init(_ dependency: any TicTacToeDependency, model: ServerModel) {
    self.dependency = dependency
    self.model = model
  }

  var random: RandomSource { dependency.random }
  var botThinker: any BotThinker { dependency.botThinker }

  func makeGameView(
    for game: GameInfo, setup: GameSetup
  ) -> any TicTacToeViewControllable {
    let view = dependency.makeGameView(for: game, setup: setup)
    guard let match = dependency as? LoggedInComponent else { return view }
    return ObservedView(view, channel: match.parts.channel, setup: setup, model: model)
  }
}

/// Passes each call to the real view, and reports it to the `ServerModel`.
private final class ObservedView: TicTacToeViewControllable {
  private let view: any TicTacToeViewControllable
  private let channel: MatchChannel
  private let setup: GameSetup
  private let model: ServerModel
  private var board: Board

  init(
    _ view: any TicTacToeViewControllable, channel: MatchChannel, setup: GameSetup,
    model: ServerModel
  ) {
    self.view = view
    self.channel = channel
    self.setup = setup
    self.model = model
    board = setup.board
  }

  var listener: (any TicTacToePresentableListener)? {
    get { view.listener }
    set { view.listener = newValue }
  }

  func show(_ board: Board) {
    self.board = board
    model.game(of: channel, didStartWith: setup)
    view.show(board)
    model.board(of: channel.match, is: board, asOf: channel.seq)
  }

  func apply(_ change: Change) {
    view.apply(change)
    _ = board.apply(change)
    model.board(of: channel.match, is: board, asOf: channel.seq)
  }

  func refuse(_ refusal: MoveError, to mark: Mark?) {
    view.refuse(refusal, to: mark)
  }

  func announce(_ outcome: Outcome) {
    model.game(of: channel.match, endsWith: outcome, asOf: channel.seq + 1)
    view.announce(outcome)
  }
}
