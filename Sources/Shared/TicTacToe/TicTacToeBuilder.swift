package import RIBs

/// What a game needs from the RIB that attaches it.
package protocol TicTacToeDependency: Dependency {
  /// Chooses among the bot's equally good moves.
  var random: RandomSource { get }
  /// Thinks about the bot's slow moves.
  var botThinker: any BotThinker { get }
  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable
}

/// Builds a game whose rules are in this process.
package final class TicTacToeBuilder: Builder<any TicTacToeDependency>, GameBuildable {
  private let game: GameInfo

  package init(dependency: any TicTacToeDependency, game: GameInfo) {
    self.game = game
    super.init(dependency: dependency)
  }

  package func build(
    withListener listener: any GameListener, setup: GameSetup
  ) -> any GameRouting {
    let view = dependency.makeGameView(for: game, setup: setup)
    let interactor = TicTacToeInteractor(
      presenter: view, setup: setup, random: dependency.random,
      botThinker: setup.series.hasBot ? dependency.botThinker : nil)
    interactor.listener = listener
    return TicTacToeRouter(interactor: interactor, viewController: view)
  }
}
