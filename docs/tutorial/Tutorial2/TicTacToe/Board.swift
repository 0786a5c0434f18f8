/// A cell of the board. Rows and columns count from 1.
struct Cell: Equatable {
  let row: Int
  let column: Int
}

/// Why a move is refused.
enum MoveError: String, Error, CaseIterable {
  case taken, outOfBoard, gameOver
}

/// The board of tic-tac-toe. Its marks determine everything else.
struct Board: Equatable {
  var marks: [Mark?] = Array(repeating: nil, count: 9)

  var rows: [[Mark?]] { (0..<3).map { Array(marks[$0 * 3..<$0 * 3 + 3]) } }

  /// The mark that moves next; `nil` if the game is over.
  var turn: Mark? {
    guard outcome == nil else { return nil }
    return marks.count { $0 != nil }.isMultiple(of: 2) ? .x : .o
  }

  /// `nil` while the game runs.
  var outcome: Outcome? {
    for line in Self.lines {
      if let mark = marks[line[0]], line.allSatisfy({ marks[$0] == mark }) { return .won(mark) }
    }
    return marks.contains(nil) ? nil : .draw
  }

  /// Places the mark whose turn it is.
  mutating func place(at cell: Cell) throws(MoveError) {
    guard let turn else { throw .gameOver }
    guard 1...3 ~= cell.row, 1...3 ~= cell.column else { throw .outOfBoard }
    let index = (cell.row - 1) * 3 + cell.column - 1
    guard marks[index] == nil else { throw .taken }
    marks[index] = turn
  }

  private static let lines = [
    [0, 1, 2], [3, 4, 5], [6, 7, 8],
    [0, 3, 6], [1, 4, 7], [2, 5, 8],
    [0, 4, 8], [2, 4, 6],
  ]
}
