import Shared

/// Where there is room for what goes on around the match.
extension TicTacToeScene {
  private static let usedRows = ScorePanel.rows + 4

  /// Below the players, the turn and the last move; beside the sentence below the board, or, where
  /// that is too wide for it, above it or below.
  func newsArea(in size: Size) -> NewsScene.Area {
    let layout = layout(in: size)
    let column = layout.origin.column + layout.size.columns + Self.gap
    var top = layout.origin.row + 1 + Self.usedRows
    var bottom = size.rows - 2
    let (corner, lines) = messageLines(in: size, below: layout)
    if lines.contains(where: { corner.column + TextWidth.columns(of: $0) >= column }) {
      if corner.row > top {
        bottom = min(bottom, corner.row)
      } else {
        top = max(top, corner.row + lines.count)
      }
    }
    return NewsScene.Area(
      corner: Position(row: top, column: column),
      size: Size(
        rows: max(0, bottom - top),
        columns: max(0, min(size.columns - column - 1, ScorePanel.mostColumns))))
  }
}
