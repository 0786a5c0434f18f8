import Shared

/// The positions of a board and of the panel beside it, in a running game and after its end. Both
/// use the same layout, so that the last board stays where it was.
struct GameLayout: Equatable {
  /// The minimum size of every screen without a board.
  static let minimumSize = Size(rows: 12, columns: 40)

  private static let margin = 2
  private static let gap = 3
  /// The minimum width of the panel, with one column at its right.
  private static let minPanelColumns = 21
  /// The rows of the score, the turn and the last move, with a row between them.
  private static let panelRows = ScorePanel.rows + 3
  /// The rows of the header, of the last row and of a sentence below the board.
  private static let otherRows = 3

  let board: BoardLayout
  let panel: Area
  /// The free rows below the board and above the last row.
  let below: Area

  init(_ game: GameInfo, in size: Size) {
    let isTight = Self.isTight(size)
    let taken = Self.margin + Self.gap + Self.minPanelColumns
    var room = Size(rows: size.rows - Self.otherRows, columns: size.columns - taken)
    let boardSize = BoardLayout(game, at: Position(row: 1, column: 0), in: room).size
    if isTight { room.rows = boardSize.rows }
    let spare =
      size.columns - 2 * Self.margin - boardSize.columns - Self.gap - ScorePanel.maxColumns
    let left = Self.margin + max(0, spare) / 2
    board = BoardLayout(game, at: Position(row: 1, column: left), in: room)
    let bottom = size.rows - (isTight ? 1 : 2)
    let column = left + boardSize.columns + Self.gap
    let top =
      isTight ? 1 : board.origin.row + min(1, max(0, boardSize.rows - Self.panelRows))
    panel = Area(
      corner: Position(row: top, column: column),
      size: Size(
        rows: bottom - top, columns: min(size.columns - column - 1, ScorePanel.maxColumns)))
    let end = board.origin.row + boardSize.rows
    below = Area(
      corner: Position(row: end, column: left),
      size: Size(rows: size.rows - 1 - end, columns: size.columns - left - 1))
  }

  /// Whether a screen has so few rows that none of them stays blank.
  static func isTight(_ size: Size) -> Bool { size.rows < 16 }

  /// The minimum size of a screen with a board of a game.
  static func minimumSize(for game: GameInfo) -> Size {
    let board = BoardLayout.minimumSize(of: game)
    return Size(
      rows: max(minimumSize.rows, board.rows + otherRows),
      columns: max(minimumSize.columns, margin + board.columns + gap + minPanelColumns))
  }
}

/// A part of the screen.
struct Area: Equatable {
  var corner: Position
  var size: Size

  /// The row after the last one.
  var bottom: Int { corner.row + size.rows }
}
