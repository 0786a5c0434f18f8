import RIBs

/// What the program gives to the tree.
final class AppComponent: EmptyComponent, RootDependency {
  let console: Console
  let games: GameRegistry

  init(console: Console, games: GameRegistry) {
    self.console = console
    self.games = games
  }
}

extension Game {
  static var ticTacToe: Game {
    Game(name: "tictactoe") { TicTacToeBuilder(dependency: TicTacToeComponent(dependency: $0)) }
  }

  static var randomWin: Game {
    Game(name: "randomwin") { RandomWinBuilder(dependency: $0, toss: { Bool.random() }) }
  }
}

/// Gives TicTacToe a view on the terminal.
final class TicTacToeComponent: Component<any GameDependency>, TicTacToeDependency {
  func makeTicTacToeView() -> any TicTacToeViewControllable {
    TicTacToeView(console: dependency.console, players: dependency.players)
  }
}
