import TestSupport
import Testing

@testable import Shared

/// The engine of `gomoku`.
@Suite struct GomokuSearchTests {
  @Test func `it takes a five rather than block one`() throws {
    let board = try Self.board(
      x: [(7, 3), (7, 4), (7, 5), (7, 6)], o: [(8, 3), (8, 4), (8, 5), (8, 6)])
    #expect([Cell(row: 7, column: 2), Cell(row: 7, column: 7)].contains(try Self.move(on: board)))
  }

  @Test func `it takes a five with a gap`() throws {
    let board = try Self.board(
      x: [(7, 3), (7, 4), (7, 6), (7, 7)], o: [(0, 0), (0, 2), (0, 4), (0, 6)])
    #expect(try Self.move(on: board) == Cell(row: 7, column: 5))
  }

  @Test func `it blocks a four`() throws {
    let board = try Self.board(
      x: [(7, 3), (7, 4), (7, 5), (7, 6)], o: [(7, 2), (8, 4), (2, 9)])
    #expect(board.turn == .o)
    #expect(try Self.move(on: board) == Cell(row: 7, column: 7))
  }

  @Test func `it makes an open four of an open three`() throws {
    let board = try Self.board(x: [(7, 4), (7, 5), (7, 6)], o: [(3, 3), (4, 8), (10, 3)])
    #expect([3, 7].map { Cell(row: 7, column: $0) }.contains(try Self.move(on: board)))
  }

  @Test func `it stops an open three`() throws {
    let board = try Self.board(x: [(7, 4), (7, 5), (7, 6)], o: [(3, 3), (4, 9)])
    #expect(board.turn == .o)
    #expect([2, 3, 7, 8].map { Cell(row: 7, column: $0) }.contains(try Self.move(on: board)))
  }

  @Test func `it finds a win by fours`() throws {
    // A four at (7, 6) forces (7, 7), and makes a three in the column that becomes an open four.
    let board = try Self.board(
      x: [(7, 3), (7, 4), (7, 5), (8, 6), (9, 6)], o: [(7, 2), (0, 0), (0, 2), (0, 12), (14, 0)])
    #expect(try Self.move(on: board) == Cell(row: 7, column: 6))
  }

  @Test func `it stops a win by fours`() throws {
    // As before, but it is O's turn. Only these cells spoil that win; each has its merits.
    let board = try Self.board(
      x: [(7, 3), (7, 4), (7, 5), (8, 6), (9, 6)], o: [(7, 2), (0, 0), (0, 2), (0, 12)])
    #expect(board.turn == .o)
    let cell = try Self.move(on: board, maxNodes: 3_000)
    let cells = [(7, 6), (7, 7), (6, 6), (5, 6), (10, 6), (11, 6)].map {
      Cell(row: $0.0, column: $0.1)
    }
    #expect(cells.contains(cell))
  }

  @Test func `it wins by fours alone, whatever wins it meets in random positions`() throws {
    var random = SeededGenerator(seed: 7)
    var wins = 0
    while wins < 5 {
      // Marks near the center, so that many lines arise.
      var board = GameInfo.gomoku.board
      let center = board.freeCells.filter {
        (3...11).contains($0.row) && (3...11).contains($0.column)
      }
      for cell in center.shuffled(using: &random).prefix(30) {
        if let turn = board.turn { _ = try board.place(turn, at: cell) }
      }
      guard let mark = board.turn else { continue }
      var search = GomokuSearch(board, for: mark, maxNodes: 2_000, isCancelled: { false })
      guard search.winByFours() != nil else { continue }
      wins += 1
      try Self.expectWin(on: board)
    }
  }

  @Test func `it opens next to the center`() throws {
    let cell = try Self.move(on: GameInfo.gomoku.board, maxNodes: 50)
    #expect((4...10).contains(cell.row) && (4...10).contains(cell.column))
  }

  @Test func `the figures of a position are the same after marks were taken back`() {
    var position = GomokuPosition(GameInfo.gomoku.board, for: .x)
    func ratings() -> [Int] {
      [position.rating(for: 0), position.rating(for: 1), Int(truncatingIfNeeded: position.key)]
        + (0..<225).flatMap { [position.weight(of: $0, for: 0), position.weight(of: $0, for: 1)] }
    }
    let empty = ratings()
    var random = SeededGenerator(seed: 2)
    let cells = Array((0..<225).shuffled(using: &random).prefix(60))
    for (index, cell) in cells.enumerated() { position.place(index % 2, at: cell) }
    #expect(ratings() != empty)
    for (index, cell) in cells.enumerated().reversed() { position.remove(index % 2, at: cell) }
    #expect(ratings() == empty)
    #expect(!position.hasThree(0) && !position.hasThree(1))
    #expect(position.winningCell(of: 0) == nil && position.winningCell(of: 1) == nil)
  }

  private static func board(x: [(Int, Int)], o: [(Int, Int)]) throws -> Board {
    var board = GameInfo.gomoku.board
    for (index, cell) in x.enumerated() {
      _ = try board.place(.x, at: Cell(row: cell.0, column: cell.1))
      if index < o.count {
        _ = try board.place(.o, at: Cell(row: o[index].0, column: o[index].1))
      }
    }
    return board
  }

  private static func move(on board: Board, maxNodes: Int = 1_000) throws -> Cell {
    let turn = try #require(board.turn)
    var search = GomokuSearch(board, for: turn, maxNodes: maxNodes, isCancelled: { false })
    var random = SplitMix64(seed: 1)
    return search.bestMove(using: &random)
  }

  /// Expects that the side to move makes fours until it wins, while the other side blocks each.
  private static func expectWin(on board: Board) throws {
    var board = board
    let mark = try #require(board.turn)
    while let turn = board.turn {
      var search = GomokuSearch(board, for: turn, maxNodes: 2_000, isCancelled: { false })
      let position = GomokuPosition(board, for: turn)
      let cell: Int
      if turn == mark {
        let win = search.winByFours()
        cell = try #require(win, "\(board.rows)")
      } else {
        #expect(position.winningCell(of: 0) == nil, "the other side must not win first")
        cell = try #require(position.winningCell(of: 1), "each move is a four").cell
      }
      _ = try board.place(turn, at: board.shape.cell(at: cell))
    }
    #expect(board.outcome?.winner == mark)
  }
}
