import Shared

@testable import Server

/// The game of the server, whose view is watched: what the rules say is written down as it is said.
final class WatchedGameBuilder: GameBuildable {
  private let builder: TicTacToeBuilder

  init(dependency: any TicTacToeDependency, game: GameInfo, ledger: Ledger) {
    builder = TicTacToeBuilder(
      dependency: WatchedDependency(dependency, ledger: ledger), game: game)
  }

  func build(
    withListener listener: any GameListener, setup: GameSetup
  ) -> any GameRouting {
    builder.build(withListener: listener, setup: setup)
  }
}

private final class WatchedDependency: TicTacToeDependency {
  private let dependency: any TicTacToeDependency
  private let ledger: Ledger

  init(_ dependency: any TicTacToeDependency, ledger: Ledger) {
    self.dependency = dependency
    self.ledger = ledger
  }

  var random: RandomSource { dependency.random }

  func makeGameView(
    for game: GameInfo, setup: GameSetup
  ) -> any TicTacToeViewControllable {
    let view = dependency.makeGameView(for: game, setup: setup)
    guard let match = dependency as? LoggedInComponent else { return view }
    return WatchedView(view, channel: match.channel, setup: setup, ledger: ledger)
  }
}

/// Shows a game as the view behind it does, and writes down each board.
private final class WatchedView: TicTacToeViewControllable {
  private let view: any TicTacToeViewControllable
  private let channel: MatchChannel
  private let setup: GameSetup
  private let ledger: Ledger
  private var board: Board

  init(
    _ view: any TicTacToeViewControllable, channel: MatchChannel, setup: GameSetup, ledger: Ledger
  ) {
    self.view = view
    self.channel = channel
    self.setup = setup
    self.ledger = ledger
    board = setup.board
  }

  var listener: (any TicTacToePresentableListener)? {
    get { view.listener }
    set { view.listener = newValue }
  }

  func show(_ board: Board) {
    self.board = board
    ledger.game(of: channel, didStartWith: setup)
    view.show(board)
    ledger.board(of: channel.match, is: board, asOf: channel.seq)
  }

  func apply(_ change: Change) {
    view.apply(change)
    _ = board.apply(change)
    ledger.board(of: channel.match, is: board, asOf: channel.seq)
  }

  func refuse(_ refusal: MoveError, to mark: Mark?) {
    view.refuse(refusal, to: mark)
  }

  func announce(_ outcome: Outcome) {
    ledger.game(of: channel.match, endsWith: outcome, asOf: channel.seq + 1)
    view.announce(outcome)
  }
}
