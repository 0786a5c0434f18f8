import Shared

/// The positions of a board and of the panel with the players, in a running game and after its end.
/// Both use the same layout, so that the last board stays where it was. The panel stands beside the
/// board, or below it on a narrow screen.
struct GameLayout: Equatable {
  /// The minimum size of every screen without a board.
  static let minimumSize = Size(rows: 12, columns: 40)

  /// The columns around a board with its panel beside it.
  private struct Spacing {
    let margin: Int
    let gap: Int
    /// The minimum width of the panel, with one column at its right.
    let minPanelColumns: Int

    var columns: Int { margin + gap + minPanelColumns }

    static let wide = Spacing(margin: 2, gap: 3, minPanelColumns: 21)
    static let narrow = Spacing(margin: 1, gap: 2, minPanelColumns: 20)
  }

  /// The rows of the score, the turn and the last move, with a row between them.
  private static let panelRows = ScorePanel.rows + 3
  /// The rows of the header, of the last row and of a sentence below the board.
  private static let otherRows = 3
  /// The rows of the header and of the last row.
  private static let edgeRows = 2
  /// The minimum rows of a panel below the board: the score, the turn, and a row for the rest.
  private static let minLowRows = 3
  /// The rows of a panel below the board that are worth more than a larger board.
  private static let roomyLowRows = 9

  let board: BoardLayout
  let panel: Area
  /// The free rows below the board and above the last row; if the panel is there, its rows.
  let below: Area
  let isPanelBelow: Bool

  init(_ game: GameInfo, in size: Size) {
    let (scale, spacing) = Self.arrangement(of: game, in: size)
    if let spacing {
      self.init(game, at: scale, in: size, beside: spacing)
    } else {
      self.init(game, at: scale, aboveThePanelIn: size)
    }
  }

  /// The panel stands beside the board.
  private init(_ game: GameInfo, at scale: BoardLayout.Scale, in size: Size, beside: Spacing) {
    let isTight = Self.isTight(size)
    let outer = BoardLayout.size(of: game, at: scale)
    let spare =
      size.columns - 2 * beside.margin - outer.columns - beside.gap - ScorePanel.maxColumns
    let left = beside.margin + max(0, spare) / 2
    board = BoardLayout(
      game, at: scale, corner: Position(row: 1, column: left),
      rows: isTight ? outer.rows : size.rows - Self.otherRows)
    let bottom = size.rows - (isTight ? 1 : 2)
    let column = left + outer.columns + beside.gap
    let top =
      isTight ? 1 : board.origin.row + min(1, max(0, outer.rows - Self.panelRows))
    panel = Area(
      corner: Position(row: top, column: column),
      size: Size(
        rows: bottom - top, columns: min(size.columns - column - 1, ScorePanel.maxColumns)))
    let end = board.origin.row + outer.rows
    below = Area(
      corner: Position(row: end, column: left),
      size: Size(rows: size.rows - 1 - end, columns: size.columns - left - 1))
    isPanelBelow = false
  }

  /// The panel stands below the board.
  private init(_ game: GameInfo, at scale: BoardLayout.Scale, aboveThePanelIn size: Size) {
    let outer = BoardLayout.size(of: game, at: scale)
    board = BoardLayout(
      game, at: scale,
      corner: Position(row: 1, column: max(1, (size.columns - outer.columns) / 2)),
      rows: outer.rows)
    let end = 1 + outer.rows
    panel = Area(
      corner: Position(row: end, column: 1),
      size: Size(rows: size.rows - 1 - end, columns: size.columns - 2))
    below = panel
    isPanelBelow = true
  }

  /// Chooses the largest board that fits, and the columns around it; `nil` for a panel below it.
  private static func arrangement(
    of game: GameInfo, in size: Size
  ) -> (scale: BoardLayout.Scale, spacing: Spacing?) {
    for scale in BoardLayout.Scale.allCases {
      let board = BoardLayout.size(of: game, at: scale)
      if board.rows + otherRows <= size.rows {
        for spacing in [Spacing.wide, .narrow]
        where board.columns + spacing.columns <= size.columns {
          return (scale, spacing)
        }
      }
      if fits(board, lowRows: roomyLowRows, in: size) { return (scale, nil) }
    }
    let board = BoardLayout.minimumSize(of: game)
    return (.small, fits(board, lowRows: minLowRows, in: size) ? nil : .narrow)
  }

  /// Returns whether a board fits above a panel of some rows.
  private static func fits(_ board: Size, lowRows: Int, in size: Size) -> Bool {
    size.holds(Size(rows: board.rows + edgeRows + lowRows, columns: board.columns + 2))
  }

  /// Whether a screen has so few rows that none of them stays blank.
  static func isTight(_ size: Size) -> Bool { size.rows < 16 }

  /// The minimum size of a screen with a board of a game, for a screen of some columns: with the
  /// panel beside the board if the columns are enough for that, or if the panel below it needs no
  /// fewer; otherwise with the panel below it.
  static func minimumSize(for game: GameInfo, columns: Int) -> Size {
    let board = BoardLayout.minimumSize(of: game)
    let beside = Size(
      rows: max(minimumSize.rows, board.rows + otherRows),
      columns: max(minimumSize.columns, board.columns + Spacing.narrow.columns))
    let below = Size(
      rows: max(minimumSize.rows, board.rows + edgeRows + minLowRows),
      columns: max(minimumSize.columns, board.columns + 2))
    return columns >= beside.columns || below.holds(beside) ? beside : below
  }
}
