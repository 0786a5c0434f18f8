import Shared

/// A move as a person types it in plain lines. What the board shows counts, from 1.
enum TypedMove: Equatable {
  /// `5`: the number of a cell or of a column.
  case number(Int)
  /// `h8` or `h 8`.
  case label(Cell)
  /// `8 8` or `8,8`: the number of a row and that of a column.
  case position(row: Int, column: Int)

  /// Returns `nil` if the text is no move.
  init?(_ text: String) {
    let words = text.split { $0.isWhitespace || $0 == "," }
    if let number = words.first.flatMap({ Int($0) }) {
      if words.count == 1 {
        self = .number(number)
      } else if words.count == 2, let column = Int(words[1]) {
        self = .position(row: number, column: column)
      } else {
        return nil
      }
    } else {
      guard words.count == 1 || words.count == 2 && words[0].count == 1,
        let cell = Cell(label: words.joined())
      else { return nil }
      self = .label(cell)
    }
  }
}

/// The reason why a typed move means no cell, for the person.
struct TypedMoveError: Error, Equatable {
  let sentence: String
}

extension GameInfo {
  /// Returns the cell that a typed move means on a board.
  ///
  /// - Throws: if there is no such cell, or if a mark in that column drops to another cell.
  func cell(for move: TypedMove, on board: Board) throws(TypedMoveError) -> Cell {
    switch move {
    case .number(let number):
      guard !hasLabels else {
        throw TypedMoveError(sentence: "\(number) alone means no cell. \(howToPlace).")
      }
      guard numbers.contains(number) else {
        let unit = dropsMarks ? "column" : "cell"
        throw TypedMoveError(
          sentence:
            "There is no \(unit) \(number). The \(unit)s are 1 to \(numbers.upperBound).")
      }
      return try landing(of: cell(numbered: number, on: board), on: board)
    case .label(let cell):
      guard shape.contains(cell) else {
        let last = Cell(row: shape.rows - 1, column: shape.columns - 1)
        throw TypedMoveError(
          sentence: "That cell is not on the board. The cells are a1 to \(last.label).")
      }
      return try landing(of: cell, on: board)
    case .position(let row, let column):
      guard (1...shape.rows).contains(row), (1...shape.columns).contains(column) else {
        throw TypedMoveError(
          sentence: "There is no row \(row) with a column \(column). The rows are 1 to"
            + " \(shape.rows), from the top, and the columns 1 to \(shape.columns).")
      }
      return try landing(of: Cell(row: row - 1, column: column - 1), on: board)
    }
  }

  /// Returns the cell if a mark can get there: where marks drop, the column alone decides.
  private func landing(of cell: Cell, on board: Board) throws(TypedMoveError) -> Cell {
    guard dropsMarks, board[cell] == nil || board[Cell(row: 0, column: cell.column)] != nil else {
      return cell
    }
    let column = cell.column + 1
    let landing = target(of: cell, on: board)
    if board[landing] != nil { throw TypedMoveError(sentence: "Column \(column) is full.") }
    guard landing == cell else {
      throw TypedMoveError(
        sentence: "In column \(column) a mark drops to row \(landing.row + 1), not to row"
          + " \(cell.row + 1). To drop it there, type: \(column)")
    }
    return cell
  }

  /// How to type a move, as a sentence without its end.
  var howToPlace: String {
    if dropsMarks {
      return "To drop your mark, type the number of a column, from 1 to \(numbers.upperBound)"
    }
    guard hasLabels else {
      return "To place your mark, type a number from 1 to \(numbers.upperBound)"
    }
    let cell = Cell(row: shape.rows / 2, column: shape.columns / 2)
    return "To place your mark, type a letter and a number, such as \(cell.label),"
      + " or a row and a column: \(cell.row + 1) \(cell.column + 1)"
  }

  /// The moves that a person may type, as a range.
  var moveRange: String {
    guard hasLabels else { return "1 to \(numbers.upperBound)" }
    return "a1 to \(Cell(row: shape.rows - 1, column: shape.columns - 1).label)"
  }
}
