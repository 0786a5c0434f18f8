/// The rules of `ultimate`: nine boards of 3 × 3 in a grid of 3 × 3.
///
/// A move in a board sends the opponent to the board at the same position in the grid. A board that
/// is won or full is closed. If the board that a move leads to is closed, every board that is not
/// closed will do. Three won boards in a line win. If all boards are closed without such a line,
/// the game is a draw.
extension Board {
  /// One of the nine boards.
  package enum SmallBoard: Equatable, Sendable {
    case open
    case won(Mark)
    /// Full without a line.
    case drawn
  }

  /// The state of the small board at an index of the grid, in row-major order.
  package func smallBoard(at index: Int) -> SmallBoard {
    let corner = Self.corner(ofSmallBoard: index)
    func mark(_ cell: Int) -> Mark? {
      self[Cell(row: corner.row + cell / 3, column: corner.column + cell % 3)]
    }
    for line in Self.gridLines {
      if let first = mark(line[0]), mark(line[1]) == first, mark(line[2]) == first {
        return .won(first)
      }
    }
    return (0..<9).contains { mark($0) == nil } ? .open : .drawn
  }

  /// Returns the outcome of a move; `nil` if the game goes on.
  func ultimateOutcome(after mark: Mark) -> Outcome? {
    let boards = (0..<9).map(smallBoard(at:))
    for line in Self.gridLines where line.allSatisfy({ boards[$0] == .won(mark) }) {
      return Outcome(
        winner: mark, reason: .line, line: line.flatMap(Self.cells(ofSmallBoard:)))
    }
    return boards.contains(.open) ? nil : Outcome(winner: nil, reason: .full)
  }

  /// Returns the open cells after a move, `nil` before the first one, in row-major order.
  func ultimateOpenCells(after cell: Cell?) -> [Cell] {
    var target: Int?
    if let cell {
      let index = cell.row % 3 * 3 + cell.column % 3
      if smallBoard(at: index) == .open { target = index }
    }
    let isOpen = (0..<9).map { target == nil ? smallBoard(at: $0) == .open : $0 == target }
    return freeCells.filter { isOpen[$0.row / 3 * 3 + $0.column / 3] }
  }

  /// The cells of a small board, in row-major order.
  private static func cells(ofSmallBoard index: Int) -> [Cell] {
    let corner = corner(ofSmallBoard: index)
    return (0..<9).map { Cell(row: corner.row + $0 / 3, column: corner.column + $0 % 3) }
  }

  private static func corner(ofSmallBoard index: Int) -> Cell {
    Cell(row: index / 3 * 3, column: index % 3 * 3)
  }

  /// The lines of a grid of 3 × 3, each from top to bottom, then from left to right.
  private static let gridLines = [
    [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
  ]
}
