/// What is said of a game before it is played.
package struct GameInfo: Hashable, Sendable {
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
