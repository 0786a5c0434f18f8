import RIBs
import Shared

/// Builds the proxy of a game that runs on the server. The parent cannot tell it from a
/// `TicTacToeBuilder`.
final class RemoteTicTacToeBuilder: Builder<any TicTacToeDependency>, GameBuildable {
  private let game: GameInfo
  private let match: RemoteMatch

  init(dependency: any TicTacToeDependency, game: GameInfo, match: RemoteMatch) {
    self.game = game
    self.match = match
    super.init(dependency: dependency)
  }

  func build(
    withListener listener: any GameListener, setup: GameSetup
  ) -> any GameRouting {
    let view = dependency.makeGameView(for: game, setup: setup)
    let interactor = RemoteTicTacToeInteractor(presenter: view, board: setup.board, match: match)
    interactor.listener = listener
    return RemoteTicTacToeRouter(interactor: interactor, viewController: view)
  }
}

extension GameRegistry {
  /// Games whose rules run elsewhere, each as its proxy of a match on a server, or of a stored one.
  init(_ games: [GameInfo], over match: RemoteMatch) {
    self.init(
      games.map { Game($0) { RemoteTicTacToeBuilder(dependency: $0, game: $1, match: match) } })
  }
}
