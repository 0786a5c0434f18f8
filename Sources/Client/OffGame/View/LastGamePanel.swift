import Shared

/// Shows the last game at the right of the screen: the result, the board and, if there is room, the
/// score.
struct LastGamePanel: Equatable {
  private static let top = 1
  /// The minimum width of the list beside the panel.
  private static let minColumnsBeside = 34

  private let game: LastGame
  /// The winner and the reason, in lines.
  private let result: [String]
  private let score: ScorePanel?
  private let layout: BoardLayout

  /// Returns `nil` if the screen has no room for the board beside the list.
  init?(_ game: LastGame, score: ScorePanel?, in size: Size) {
    let sentence = game.outcome.sentence(players: game.players)
    func lines(beside board: Size) -> [String] {
      sentence.wrapped(to: min(Self.columns(for: board) - 1, ScorePanel.maxColumns))
    }
    guard
      let scale = [BoardLayout.Scale.medium, .small].first(where: { scale in
        let board = BoardLayout.size(of: game.game, at: scale)
        return size.rows - Self.top - lines(beside: board).count - 1 >= board.rows
          && size.columns - Self.columns(for: board) >= Self.minColumnsBeside
      })
    else { return nil }
    let board = BoardLayout.size(of: game.game, at: scale)
    result = lines(beside: board)
    let corner = Position(
      row: Self.top + result.count, column: size.columns - Self.columns(for: board))
    layout = BoardLayout(game.game, at: corner, in: board)
    self.game = game
    let hasRoom = corner.row + board.rows + 1 + ScorePanel.rows < size.rows - 1
    self.score = hasRoom ? score : nil
  }

  var hasScore: Bool { score != nil }
  /// The first column of the panel, and the row after its last one.
  var column: Int { layout.origin.column }
  var bottom: Int {
    layout.origin.row + layout.size.rows + (hasScore ? 1 + ScorePanel.rows : 0)
  }

  func draw(into frame: inout Frame) {
    let columns = min(frame.size.columns - column - 1, ScorePanel.maxColumns)
    for (row, line) in result.enumerated() {
      frame.write(
        line, at: Position(row: Self.top + row, column: column), style: .bold, width: columns)
    }
    BoardPicture(game: game.game, board: game.board, line: game.outcome.line ?? []).draw(
      into: &frame, at: layout)
    let below = Position(row: layout.origin.row + layout.size.rows + 1, column: column)
    score?.draw(into: &frame, at: below, columns: columns)
  }

  /// The width of the panel for a board, with a margin on both sides.
  private static func columns(for board: Size) -> Int {
    max(board.columns, ScorePanel.minColumns) + 4
  }
}
