/// A game that can be chosen by its name.
struct Game {
  let name: String
  /// Makes the builder from the component of the RIB that attaches the game.
  let makeBuilder: (any GameDependency) -> any GameBuildable
}

/// The games of the program. Only the program names them.
struct GameRegistry {
  private let games: [Game]

  init(_ games: [Game]) {
    self.games = games
  }

  var names: [String] { games.map(\.name) }

  subscript(name: String) -> Game? { games.first { $0.name == name } }
}
