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
  let scale: Scale
  /// The top left corner of the frame around the board.
  let origin: Position

  /// Places the board at the left of an area, centred vertically. A board that does not fit at the
  /// smallest size is cut off.
  init(_ shape: BoardShape, at corner: Position, in room: Size) {
    let scale =
      Scale.allCases.first { room.holds(Self.size(of: shape, at: $0)) } ?? .small
    let spare = room.rows - Self.size(of: shape, at: scale).rows
    self.shape = shape
    self.scale = scale
    origin = Position(row: corner.row + max(0, spare) / 2, column: corner.column)
  }

  /// The size of the board with its frame.
  var size: Size { Self.size(of: shape, at: scale) }

  /// The size of a board with its frame at the smallest scale.
  static func minimumSize(of shape: BoardShape) -> Size { size(of: shape, at: .small) }

  /// The size of a board with its frame at a scale.
  static func size(of shape: BoardShape, at scale: Scale) -> Size {
    switch scale {
    case .large, .medium:
      Size(
        rows: shape.rows * scale.step.rows + 1, columns: shape.columns * scale.step.columns + 1)
    case .small:
      Size(rows: shape.rows + 2, columns: shape.columns * 2 + 3)
    }
  }

  /// The top left corner inside a cell; at the small scale, the position of the character.
  func corner(of cell: Cell) -> Position {
    Position(
      row: origin.row + 1 + cell.row * scale.step.rows,
      column: origin.column + (scale == .small ? 2 : 1) + cell.column * scale.step.columns)
  }

  /// Returns the cell at a position on the screen; `nil` on a line or outside the board.
  func cell(at position: Position) -> Cell? {
    let first = corner(of: Cell(row: 0, column: 0))
    let (row, column) = (position.row - first.row, position.column - first.column)
    guard row >= 0, column >= 0, row % scale.step.rows < scale.cell.rows,
      column % scale.step.columns < scale.cell.columns
    else { return nil }
    let cell = Cell(row: row / scale.step.rows, column: column / scale.step.columns)
    return shape.contains(cell) ? cell : nil
  }
}
