/// The description of a game. A class, because each match refers to it several times, and each copy
/// of a struct would take six words.
package final class GameInfo: Sendable {
  /// The name that commands use: `tictactoe`.
  package let id: String
  /// The name that people read: `Tic Tac Toe`.
  package let name: String
  package let shape: BoardShape
  package let rules: GameRules

  package init(id: String, name: String, shape: BoardShape, rules: GameRules = .line) {
    self.id = id
    self.name = name
    self.shape = shape
    self.rules = rules
  }

  /// Whether a text is the id, whose ASCII letters may be in any case.
  package func isNamed(_ text: String) -> Bool {
    // The usual text, at once. Others that are equal to ASCII, by Unicode, are longer.
    if id == text, id.utf8.count == text.utf8.count { return true }
    return id.utf8.elementsEqual(text.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
  }

  /// The board at the start of a game.
  package var board: Board { Board(shape, rules: rules) }

  package static let ticTacToe = GameInfo(
    id: "tictactoe", name: "Tic Tac Toe", shape: .ticTacToe)
  package static let four = GameInfo(id: "four", name: "Four in a Row", shape: .four)
  package static let gomoku = GameInfo(id: "gomoku", name: "Gomoku", shape: .gomoku)
  package static let connect = GameInfo(
    id: "connect", name: "Connect", shape: .connect, rules: .connect)
  package static let misere = GameInfo(
    id: "misere", name: "Misère", shape: .ticTacToe, rules: .misere)
  package static let ultimate = GameInfo(
    id: "ultimate", name: "Ultimate", shape: .ultimate, rules: .ultimate)

  /// The games of this project, in the order of lists.
  package static let all = [ticTacToe, four, gomoku, connect, misere, ultimate]
}

extension UInt8 {
  fileprivate var lowercasedASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}

extension GameInfo: Hashable {
  package static func == (one: GameInfo, other: GameInfo) -> Bool {
    one.id == other.id && one.name == other.name && one.shape == other.shape
      && one.rules == other.rules
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

/// A game as a plugin: its description, and how to make its builder.
package struct Game {
  /// Makes a builder from the component of the RIB that attaches the game.
  package typealias MakeBuilder = (any TicTacToeDependency, GameInfo) -> any GameBuildable

  package let info: GameInfo
  private let makeBuilder: MakeBuilder

  package init(_ info: GameInfo, makeBuilder: @escaping MakeBuilder) {
    self.info = info
    self.makeBuilder = makeBuilder
  }

  package func builder(dependency: any TicTacToeDependency) -> any GameBuildable {
    makeBuilder(dependency, info)
  }
}

/// The games of an executable, in the order of registration. The root component owns the registry,
/// and no RIB names a game.
package struct GameRegistry {
  package let games: [Game]

  /// No two games may have the same id.
  package init(_ games: [Game]) {
    precondition(
      Set(games.map(\.info.id)).count == games.count, "Two games are registered with the same id.")
    self.games = games
  }

  /// The game with an id, whose ASCII letters may be in any case; `nil` if there is no plugin for
  /// it.
  package subscript(id: String) -> Game? { games.first { $0.info.isNamed(id) } }
}
