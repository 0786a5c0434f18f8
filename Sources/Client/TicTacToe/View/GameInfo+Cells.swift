import Shared

/// How people name the cells of a game.
extension GameInfo {
  /// Whether a mark drops in a column, so that a person chooses columns rather than cells.
  var dropsMarks: Bool { rules == .connect }

  /// What wins, and what is special about a move.
  var goal: String {
    switch rules {
    case .line: "\(shape.inARow) marks in a row, in any direction"
    case .misere: "make the other player get \(shape.inARow) marks in a row"
    case .connect: "\(shape.inARow) marks in a row, in any direction; a mark falls down its column"
    case .ultimate:
      "3 small boards in a row; your cell in a small board decides the board of the next move"
    }
  }

  /// The side of the small boards that the board consists of; `nil` for one plain board.
  var groupSide: Int? { rules == .ultimate ? 3 : nil }

  /// The numbers that a person may type, from 1: columns if marks drop, otherwise cells.
  var numbers: ClosedRange<Int> { 1...(dropsMarks ? shape.columns : shape.cellCount) }

  /// Whether one digit is enough for every number.
  var hasDigits: Bool { numbers.upperBound <= 9 }

  /// Whether the rules open only some of the free cells.
  var hasOpenCells: Bool { dropsMarks || groupSide != nil }

  /// Whether a free cell is shown as one to choose. If every free cell is open, they are all shown
  /// so, also on the last board.
  func isOffered(_ cell: Cell, on board: Board) -> Bool {
    board[cell] == nil && (!hasOpenCells || board.isOpen(cell))
  }

  /// Whether a cell is named by its letter and number, which stand beside the board.
  var hasLabels: Bool { !hasDigits && !dropsMarks }

  /// The label of a column at the edge of the board; `nil` where each cell has a digit.
  func label(ofColumn column: Int) -> String? {
    if dropsMarks { return String(column + 1) }
    return hasLabels ? Cell.columnLabel(column) : nil
  }

  /// The label of a row at the edge of the board; `nil` where rows need none.
  func label(ofRow row: Int) -> String? { hasLabels ? Cell.rowLabel(row) : nil }

  /// The name of a cell in sentences: its label or its digit.
  func name(of cell: Cell) -> String { hasLabels ? cell.label : String(number(of: cell)) }

  /// The last move in words, the longest sentence first. Cells are named by their column, their
  /// digit, or their letter and number.
  func sentences(about move: Placement) -> [String] {
    let (mark, cell) = (move.mark.letter, move.cell)
    if dropsMarks {
      return [
        "Last move: \(mark) in column \(cell.column + 1)", "Last: \(mark) in \(cell.column + 1)",
      ]
    }
    let name = name(of: cell)
    return ["Last move: \(mark) on \(name)", "Last: \(mark) on \(name)", "\(mark) \(name)"]
  }

  /// The name of a cell among all cells, for those who do not see the board.
  func spokenName(of cell: Cell) -> String {
    dropsMarks ? "column \(cell.column + 1), row \(cell.row + 1)" : name(of: cell)
  }

  func number(of cell: Cell) -> Int {
    dropsMarks ? cell.column + 1 : shape.index(of: cell) + 1
  }

  /// Returns the cell that a number means on a board: where marks drop, the open cell of the
  /// column, or its top cell if the column is full. The number must be one of `numbers`.
  func cell(numbered number: Int, on board: Board) -> Cell {
    dropsMarks ? landing(in: number - 1, on: board) : shape.cell(at: number - 1)
  }

  /// Returns the cell that a person means by pointing at a cell.
  func target(of cell: Cell, on board: Board) -> Cell {
    dropsMarks ? landing(in: cell.column, on: board) : cell
  }

  private func landing(in column: Int, on board: Board) -> Cell {
    board.openCells.first { $0.column == column } ?? Cell(row: 0, column: column)
  }
}
