import RIBs

extension Game {
  /// A tic-tac-toe whose rules are at the other end of a wire.
  static func remoteTicTacToe(over wire: any Wire) -> Game {
    Game(name: "tictactoe") {
      RemoteTicTacToeBuilder(dependency: TicTacToeComponent(dependency: $0), wire: wire)
    }
  }

  static var nim: Game {
    Game(name: "nim") { NimBuilder(dependency: NimComponent(dependency: $0)) }
  }
}

/// Gives Nim a view on the terminal.
final class NimComponent: Component<any GameDependency>, NimDependency {
  func makeNimView() -> any NimViewControllable {
    NimView(console: dependency.console, players: dependency.players)
  }
}

/// What the program gives to the tree at the far end.
final class HostAppComponent: EmptyComponent, HostDependency {
  let wire: any Wire

  init(wire: any Wire) {
    self.wire = wire
  }
}
