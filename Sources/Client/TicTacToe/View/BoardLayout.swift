import Shared

/// The positions of a board's cells on the screen, in the largest of three sizes that fits.
struct BoardLayout: Equatable {
  /// The size of a cell.
  enum Scale: CaseIterable {
    /// Marks of 3 × 5, with lines between the cells.
    case large
    /// Marks of one character, with lines between the cells.
    case medium
    /// Marks of one character and nothing between them: 19 × 19 cells fit into 80 columns and 24
    /// rows.
    case small

    /// The size of a cell inside its lines.
    var cell: Size {
      switch self {
      case .large: Size(rows: 3, columns: 7)
      case .medium: Size(rows: 1, columns: 3)
      case .small: Size(rows: 1, columns: 1)
      }
    }

    /// The distance from one cell to the next. Two small cells share the space between them.
    var step: Size {
      switch self {
      case .large, .medium: Size(rows: cell.rows + 1, columns: cell.columns + 1)
      case .small: Size(rows: 1, columns: 2)
      }
    }
  }

  let shape: BoardShape
  /// The side of the small boards, which have lines between them at every scale; `nil` for one
  /// board.
  let groupSide: Int?
  let scale: Scale
  /// The top left corner of the frame around the board. The labels of the rows are left of it, and
  /// those of the columns in the frame.
  let origin: Position

  /// Places the board, with its labels, at the left of some rows, centred vertically.
  init(_ game: GameInfo, at scale: Scale, corner: Position, rows: Int) {
    shape = game.shape
    groupSide = game.groupSide
    self.scale = scale
    let spare = rows - Self.size(of: game, at: scale).rows
    origin = Position(
      row: corner.row + max(0, spare) / 2, column: corner.column + Self.labelColumns(of: game))
  }

  /// The size of the board with its frame.
  var size: Size { Self.size(of: shape, groupSide, at: scale) }

  /// The size of a board with its frame and its labels at the smallest scale.
  static func minimumSize(of game: GameInfo) -> Size { size(of: game, at: .small) }

  /// The size of a board with its frame and its labels at a scale.
  static func size(of game: GameInfo, at scale: Scale) -> Size {
    var size = size(of: game.shape, game.groupSide, at: scale)
    size.columns += labelColumns(of: game)
    return size
  }

  private static func labelColumns(of game: GameInfo) -> Int {
    game.label(ofRow: game.shape.rows - 1)?.count ?? 0
  }

  private static func size(of shape: BoardShape, _ groupSide: Int?, at scale: Scale) -> Size {
    switch scale {
    case .large, .medium:
      Size(
        rows: shape.rows * scale.step.rows + 1, columns: shape.columns * scale.step.columns + 1)
    case .small:
      Size(
        rows: shape.rows + 2 + separators(before: shape.rows - 1, groupSide),
        columns: shape.columns * 2 + 3 + 2 * separators(before: shape.columns - 1, groupSide))
    }
  }

  /// The top left corner inside a cell; at the small scale, the position of the character.
  func corner(of cell: Cell) -> Position {
    let isSmall = scale == .small
    let extra = Size(
      rows: isSmall ? Self.separators(before: cell.row, groupSide) : 0,
      columns: isSmall ? 2 * Self.separators(before: cell.column, groupSide) : 0)
    return Position(
      row: origin.row + 1 + cell.row * scale.step.rows + extra.rows,
      column: origin.column + (isSmall ? 2 : 1) + cell.column * scale.step.columns + extra.columns)
  }

  /// Returns the cell at a position on the screen; `nil` on a line or outside the board.
  func cell(at position: Position) -> Cell? {
    (0..<shape.cellCount).lazy.map(shape.cell(at:)).first { cell in
      let corner = corner(of: cell)
      return (0..<scale.cell.rows).contains(position.row - corner.row)
        && (0..<scale.cell.columns).contains(position.column - corner.column)
    }
  }

  /// The number of lines between small boards before a row or a column.
  private static func separators(before index: Int, _ groupSide: Int?) -> Int {
    groupSide.map { index / $0 } ?? 0
  }
}
