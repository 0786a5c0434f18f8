import TestSupport
import Testing

@testable import Shared

@Suite struct MoveEvaluatorTests {
  @Test(arguments: [
    (4, 4, 4), (5, 5, 4), (5, 4, 3), (9, 1, 3), (15, 15, 5), (19, 19, 5),
  ])
  func `it takes a win if there is one, or else blocks one`(rows: Int, columns: Int, inARow: Int)
    throws
  {
    let shape = try #require(BoardShape(rows: rows, columns: columns, inARow: inARow))
    var random = SeededGenerator(seed: 4)
    var (wins, blocks) = (0, 0)
    for line in LineOracle(shape).lines.shuffled(using: &random).prefix(20) {
      var board = Board(shape)
      let hole = line.randomElement(using: &random)
      // X fills the line except for one cell, O moves anywhere else.
      var quiet = board.freeCells.filter { !line.contains($0) }.shuffled(using: &random)
      for cell in line where cell != hole {
        _ = try board.place(.x, at: cell)
        guard let other = quiet.popLast() else { break }
        _ = try board.place(.o, at: other)
        if board.outcome != nil { break }
      }
      guard let turn = board.turn else { continue }
      for mark in [turn, turn.other] {
        let copy = try #require(Board(shape, rows: board.rows, turn: mark))
        let (own, theirs) = try (
          winningCells(mark, on: copy), winningCells(mark.other, on: copy)
        )
        if !own.isEmpty {
          wins += 1
          #expect(MoveEvaluator(for: mark, on: copy).bestMoves == own)
        } else if !theirs.isEmpty {
          blocks += 1
          #expect(MoveEvaluator(for: mark, on: copy).bestMoves == theirs)
        }
      }
    }
    #expect(wins > 0 && blocks > 0)
  }

  @Test func `it makes a fork`() throws {
    #expect(
      try bestMoves([".....", ".....", ".XX..", "....O", "O...."], .x, inARow: 4) == [
        Cell(row: 2, column: 3)
      ])
  }

  @Test func `it stops a fork before it is made`() throws {
    let rows = [".....", ".....", ".XX..", "....O", "....."]
    let cells = try bestMoves(rows, .o, inARow: 4)
    #expect(!cells.isEmpty)
    #expect(cells.allSatisfy { [0, 3, 4].map { Cell(row: 2, column: $0) }.contains($0) })
  }

  @Test func `if one move stops all forks, it makes one of these`() throws {
    let shape = try #require(BoardShape(rows: 5, columns: 5, inARow: 4))
    var random = SeededGenerator(seed: 6)
    var stopped = 0
    while stopped < 12 {
      var board = Board(shape)
      for cell in board.freeCells.shuffled(using: &random).prefix(9) {
        if let turn = board.turn { _ = try board.place(turn, at: cell) }
      }
      guard let turn = board.turn, try winningCells(.x, on: board).isEmpty,
        try winningCells(.o, on: board).isEmpty, try forks(turn, on: board).isEmpty,
        try !forks(turn.other, on: board).isEmpty
      else { continue }
      let stops = try board.freeCells.filter { cell in
        var next = board
        _ = try next.place(turn, at: cell)
        return try forks(turn.other, on: next).isEmpty
      }
      if stops.isEmpty { continue }
      stopped += 1
      let moves = Set(MoveEvaluator(for: turn, on: board).bestMoves)
      #expect(moves.isSubset(of: stops), "\(board.rows)")
    }
  }

  @Test func `it prefers making a fork to stopping one`() throws {
    let rows = [".....", ".OO..", ".....", ".XX..", "....."]
    #expect(try bestMoves(rows, .x, inARow: 4) == [Cell(row: 3, column: 3)])
  }

  @Test func `it opens on a cell that most lines cross`() throws {
    let rows = Array(repeating: ".....", count: 5)
    #expect(try bestMoves(rows, .x, inARow: 5) == [Cell(row: 2, column: 2)])
  }

  private func winningCells(_ mark: Mark, on board: Board) throws -> [Cell] {
    let copy = try #require(Board(board.shape, rows: board.rows, turn: mark))
    return try copy.freeCells.filter { cell in
      var next = copy
      _ = try next.place(mark, at: cell)
      return next.outcome?.reason == .line
    }
  }

  /// The cells that would make a side threaten to win on two others.
  private func forks(_ mark: Mark, on board: Board) throws -> [Cell] {
    let copy = try #require(Board(board.shape, rows: board.rows, turn: mark))
    return try copy.freeCells.filter { cell in
      var next = copy
      _ = try next.place(mark, at: cell)
      return try winningCells(mark, on: next).count > 1
    }
  }

  private func bestMoves(_ rows: [String], _ turn: Mark, inARow: Int) throws -> [Cell] {
    let shape = try #require(BoardShape(rows: rows.count, columns: 5, inARow: inARow))
    let board = try #require(Board(shape, rows: rows, turn: turn))
    return MoveEvaluator(for: turn, on: board).bestMoves
  }
}
