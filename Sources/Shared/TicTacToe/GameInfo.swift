/// What is said of a game before it is played. A class: each match has a handful of references to it,
/// where each copy would have six words.
package final class GameInfo: Sendable {
  /// The name that commands use: `tictactoe`.
  package let id: String
  /// The name that people read: `Tic Tac Toe`.
  package let name: String
  package let shape: BoardShape

  package init(id: String, name: String, shape: BoardShape) {
    self.id = id
    self.name = name
    self.shape = shape
  }

  package static let ticTacToe = GameInfo(
    id: "tictactoe", name: "Tic Tac Toe", shape: .ticTacToe)
}

extension GameInfo: Hashable {
  package static func == (one: GameInfo, other: GameInfo) -> Bool {
    one.id == other.id && one.name == other.name && one.shape == other.shape
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}
