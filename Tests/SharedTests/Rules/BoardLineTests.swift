import Shared
import TestSupport
import Testing

/// The winner and the winning line, compared with an oracle.
@Suite struct BoardLineTests {
  @Test(arguments: BoardShape.samples, Mark.allCases)
  func `each line wins, whichever of its cells comes last`(shape: BoardShape, mark: Mark) throws {
    for line in LineOracle(shape).lines {
      for last in [line.first, line[line.count / 2], line.last].compactMap(\.self) {
        let rows = Self.rows(shape, mark, at: line.filter { $0 != last })
        var board = try #require(Board(shape, rows: rows, turn: mark))
        let change = try board.place(mark, at: last)
        #expect(board.outcome == Outcome(winner: mark, reason: .line, line: line))
        #expect(change.turn == nil)
        #expect(board.turn == nil)
      }
    }
  }

  @Test func `3 × 3 has eight lines`() {
    #expect(LineOracle(.ticTacToe).lines.count == 8)
  }

  @Test(arguments: BoardShape.samples)
  func `whole games end as the oracle says`(shape: BoardShape) throws {
    let oracle = LineOracle(shape)
    let lines = Set(oracle.lines)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<(shape.cellCount > 100 ? 3 : 200) {
      var board = Board(shape)
      for cell in board.freeCells.shuffled(using: &random) {
        guard let turn = board.turn else { break }
        _ = try board.place(turn, at: cell)
        let winner = oracle.winner(rows: board.rows)
        #expect(board.outcome?.winner == winner)
        #expect((board.outcome == nil) == (winner == nil && !board.freeCells.isEmpty))
        guard let outcome = board.outcome else { continue }
        #expect(outcome.reason == (winner == nil ? .full : .line))
        if let line = outcome.line {
          #expect(line.contains(cell))
          // Every stretch of the line that is long enough is a line of the oracle.
          let stretches = line.indices.dropLast(shape.inARow - 1).map {
            Array(line[$0..<$0 + shape.inARow])
          }
          #expect(!stretches.isEmpty && stretches.allSatisfy(lines.contains))
          #expect(line.allSatisfy { board[$0] == winner })
        }
      }
      #expect(board.outcome != nil)
    }
  }

  @Test func `a run longer than needed wins with all of its cells`() throws {
    let shape = try #require(BoardShape(rows: 1, columns: 9, inARow: 3))
    var board = try #require(Board(shape, rows: [".XX.XX..."], turn: .x))
    _ = try board.place(.x, at: Cell(row: 0, column: 3))
    #expect(board.outcome?.line == (1...5).map { Cell(row: 0, column: $0) })
  }

  @Test func `a last move that makes a line is not a draw`() throws {
    var board = try #require(Board(.ticTacToe, rows: ["XOX", "OXO", "OX."], turn: .x))
    _ = try board.place(.x, at: Cell(row: 2, column: 2))
    #expect(board.outcome?.winner == .x)
  }

  private static func rows(_ shape: BoardShape, _ mark: Mark, at cells: [Cell]) -> [String] {
    var rows = Array(repeating: Array(repeating: ".", count: shape.columns), count: shape.rows)
    for cell in cells { rows[cell.row][cell.column] = mark.letter }
    return rows.map { $0.joined() }
  }
}
