/// Where there is room for what goes on around the match.
extension TicTacToeScene {
  private static let gap = 3
  private static let usedRows = ScorePanel.rows + 4
  private static let mostColumns = 34

  /// Below the players, the turn and the last move.
  func newsArea(in size: Size) -> NewsScene.Area {
    let layout = layout(in: size)
    let corner = Position(
      row: layout.origin.row + 1 + Self.usedRows,
      column: layout.origin.column + layout.size.columns + Self.gap)
    return NewsScene.Area(
      corner: corner,
      size: Size(
        rows: max(0, size.rows - 2 - corner.row),
        columns: max(0, min(size.columns - corner.column - 1, Self.mostColumns))))
  }
}
