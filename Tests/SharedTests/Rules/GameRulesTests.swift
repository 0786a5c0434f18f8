import Shared
import TestSupport
import Testing

/// Whole games by the rules that are not plain lines, compared with slow models.
@Suite struct GameRulesTests {
  private func play(_ game: GameInfo, _ cells: [(Int, Int)]) throws -> Board {
    var board = game.board
    for (row, column) in cells {
      _ = try board.place(try #require(board.turn), at: Cell(row: row, column: column))
    }
    return board
  }

  @Test func `the games have the boards of the protocol`() {
    #expect(
      GameInfo.all.map { "\($0.id) \($0.shape.rows) \($0.shape.columns) \($0.shape.inARow)" } == [
        "tictactoe 3 3 3", "four 4 4 4", "gomoku 15 15 5", "connect 6 7 4", "misere 3 3 3",
        "ultimate 9 9 3",
      ])
  }

  @Test func `in misère the player who completes a line loses`() throws {
    let board = try play(.misere, [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)])
    #expect(
      board.outcome
        == Outcome(
          winner: .o, reason: .line, line: (0...2).map { Cell(row: 0, column: $0) }))
    #expect(board.turn == nil && board.openCells.isEmpty)
  }

  @Test func `a full misère board without a line is a draw`() throws {
    let board = try play(
      .misere, [(0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2)])
    #expect(board.outcome == Outcome(winner: nil, reason: .full))
  }

  @Test func `in connect only the lowest free cell of each column is open`() throws {
    var board = GameInfo.connect.board
    #expect(board.open == (0..<7).map { Cell(row: 5, column: $0) })
    #expect(throws: MoveError.notOpen) { try board.place(.x, at: Cell(row: 4, column: 3)) }
    let change = try board.place(.x, at: Cell(row: 5, column: 3))
    #expect(
      change.open == [Cell(row: 4, column: 3)]
        + [0, 1, 2, 4, 5, 6].map { Cell(row: 5, column: $0) })
    #expect(throws: MoveError.cellTaken) { try board.place(.o, at: Cell(row: 5, column: 3)) }
    for row in (0...4).reversed() {
      _ = try board.place(try #require(board.turn), at: Cell(row: row, column: 3))
    }
    #expect(board.open?.contains { $0.column == 3 } == false)
  }

  @Test func `four in a column win in connect`() throws {
    let board = try play(.connect, [(5, 0), (5, 1), (4, 0), (4, 1), (3, 0), (3, 1), (2, 0)])
    #expect(
      board.outcome
        == Outcome(winner: .x, reason: .line, line: (2...5).map { Cell(row: $0, column: 0) }))
    #expect(board.open == nil && board.openCells.isEmpty)
  }

  @Test(arguments: 0..<50)
  func `random games of connect follow gravity and end as the oracle says`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let oracle = LineOracle(.connect)
    var board = GameInfo.connect.board
    while let turn = board.turn {
      let heights = (0..<7).map { column in
        (0..<6).filter { board[Cell(row: $0, column: column)] != nil }.count
      }
      let expected = (0..<7).filter { heights[$0] < 6 }
        .map { Cell(row: 5 - heights[$0], column: $0) }
        .sorted { ($0.row, $0.column) < ($1.row, $1.column) }
      #expect(board.open == expected)
      let cell = try #require(expected.randomElement(using: &random))
      let change = try board.place(turn, at: cell)
      #expect(change.open == board.open)
      #expect(board.outcome?.winner == oracle.winner(rows: board.rows))
    }
    #expect(board.outcome != nil)
  }

  @Test func `in ultimate a move sends the opponent to the board at the same position`() throws {
    var board = GameInfo.ultimate.board
    #expect(board.open?.count == 81)
    let change = try board.place(.x, at: Cell(row: 1, column: 2))
    // Row 1, column 2 of its board: the board in the middle row of the grid, at its right.
    #expect(change.open == UltimateModel.cells(ofBoard: 5))
    #expect(throws: MoveError.notOpen) { try board.place(.o, at: Cell(row: 0, column: 0)) }
    _ = try board.place(.o, at: Cell(row: 4, column: 7))
    #expect(board.open == UltimateModel.cells(ofBoard: 4))
  }

  @Test(arguments: 0..<60)
  func `random games of ultimate follow the model to their end`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var board = GameInfo.ultimate.board
    var model = UltimateModel()
    while let turn = board.turn {
      #expect(board.open == model.open)
      let cell = try #require(model.open.randomElement(using: &random))
      _ = try board.place(turn, at: cell)
      model.place(turn, at: cell)
    }
    #expect(model.isOver)
    #expect(board.outcome?.winner == model.winner)
    #expect(board.outcome?.reason == (model.winner == nil ? .full : .line))
    if let winner = model.winner {
      let line = try #require(board.outcome?.line)
      #expect(line.count == 27)
      let boards = stride(from: 0, to: 27, by: 9).map { Array(line[$0..<$0 + 9]) }
      let indices = boards.map { UltimateModel.board(of: $0[0]) }
      #expect(zip(boards, indices).allSatisfy { $0 == UltimateModel.cells(ofBoard: $1) })
      #expect(indices == indices.sorted() && indices.allSatisfy { model.winners[$0] == winner })
    }
  }

  @Test func `random games of ultimate are won by both sides and drawn`() throws {
    var outcomes: Set<String> = []
    for seed in 0..<300 where outcomes.count < 3 {
      var random = SeededGenerator(seed: UInt64(seed))
      var board = GameInfo.ultimate.board
      while let turn = board.turn {
        _ = try board.place(turn, at: try #require(board.openCells.randomElement(using: &random)))
      }
      outcomes.insert(board.outcome?.winner?.letter ?? "draw")
    }
    #expect(outcomes == ["X", "O", "draw"])
  }

  @Test(arguments: GameInfo.all)
  func `a copy that applies each change has the same cells, turn and open cells`(
    _ game: GameInfo
  ) throws {
    var random = SeededGenerator(seed: 7)
    var board = game.board
    var copy = try #require(
      Board(game.shape, rows: board.rows, turn: board.turn, open: board.open))
    while let turn = board.turn {
      let cell = try #require(board.openCells.randomElement(using: &random))
      #expect(copy.isOpen(cell))
      let isApplied = copy.apply(try board.place(turn, at: cell))
      #expect(isApplied)
      #expect(copy.rows == board.rows && copy.turn == board.turn && copy.open == board.open)
      #expect(copy.hash == board.hash)
    }
  }

  @Test func `ending a game closes its cells`() throws {
    var board = GameInfo.connect.board
    board.end(.resigned, by: .x)
    #expect(board.open == nil && board.openCells.isEmpty)
  }

  @Test func `open cells off the board are refused`() {
    let open = [Cell(row: 3, column: 0)]
    #expect(Board(.ticTacToe, rows: ["...", "...", "..."], turn: .x, open: open) == nil)
    var board = Board(.ticTacToe)
    let placement = Placement(cell: Cell(row: 0, column: 0), mark: .x)
    let isApplied = board.apply(Change(placement, turn: .o, open: open, hash: 0))
    #expect(!isApplied)
  }
}

/// A second, slow implementation of `ultimate`, on boards of their own.
private struct UltimateModel {
  private var boards = Array(repeating: [Mark?](repeating: nil, count: 9), count: 9)
  private(set) var winners = [Mark?](repeating: nil, count: 9)
  private(set) var winner: Mark?
  private var target: Int?

  private func isClosed(_ board: Int) -> Bool {
    winners[board] != nil || boards[board].allSatisfy { $0 != nil }
  }

  var isOver: Bool { winner != nil || (0..<9).allSatisfy(isClosed) }

  var open: [Cell] {
    guard !isOver else { return [] }
    let allowed = target.map { isClosed($0) ? nil : [$0] } ?? nil
    return (0..<9).filter { !isClosed($0) && allowed?.contains($0) ?? true }
      .flatMap { board in
        Self.cells(ofBoard: board).enumerated().filter { boards[board][$0.offset] == nil }
          .map(\.element)
      }
      .sorted { ($0.row, $0.column) < ($1.row, $1.column) }
  }

  mutating func place(_ mark: Mark, at cell: Cell) {
    let board = Self.board(of: cell)
    let index = Self.cells(ofBoard: board).firstIndex(of: cell) ?? 0
    boards[board][index] = mark
    if winners[board] == nil, Self.hasLine(mark, in: boards[board]) { winners[board] = mark }
    if Self.hasLine(mark, in: winners) { winner = mark }
    target = index
  }

  static func board(of cell: Cell) -> Int { (cell.row / 3) * 3 + cell.column / 3 }

  static func cells(ofBoard board: Int) -> [Cell] {
    (0..<81).map { Cell(row: $0 / 9, column: $0 % 9) }.filter { Self.board(of: $0) == board }
  }

  private static func hasLine(_ mark: Mark, in grid: [Mark?]) -> Bool {
    let rows = (0..<3).map { row in
      (0..<3).map { grid[row * 3 + $0]?.letter ?? "." }.joined()
    }
    return LineOracle(.ticTacToe).winner(rows: rows) == mark
  }
}
