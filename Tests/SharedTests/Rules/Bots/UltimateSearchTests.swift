import TestSupport
import Testing

@testable import Shared

/// The engine of `ultimate`.
@Suite struct UltimateSearchTests {
  @Test func `its positions follow the rules of the board`() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20 {
      var board = GameInfo.ultimate.board
      var position = UltimatePosition(board, for: .x)
      while let turn = board.turn {
        var cells: [Cell] = []
        position.forEachMove { cells.append($0.asCell) }
        #expect(Set(cells) == Set(board.openCells))
        var copy: [Cell] = []
        UltimatePosition(board, for: turn).forEachMove { copy.append($0.asCell) }
        #expect(copy == cells)
        let cell = try #require(board.openCells.randomElement(using: &random))
        _ = try board.place(turn, at: cell)
        switch position.play(UltimatePosition.Move(cell)) {
        case .running: #expect(board.turn == turn.other)
        case .won: #expect(board.outcome?.winner == turn)
        case .drawn: #expect(board.outcome == Outcome(winner: nil, reason: .full))
        }
      }
    }
  }

  @Test func `playouts differ, and both sides win some`() {
    let position = UltimatePosition(GameInfo.ultimate.board, for: .x)
    var random = SplitMix64(seed: 1)
    let sum = (0..<200).reduce(0) { sum, _ in sum + position.playout(using: &random) }
    #expect((60...140).contains(sum))
  }

  @Test func `it takes the board that wins, and does not let the other side take it`() throws {
    var random = SeededGenerator(seed: 4)
    var (wins, blocks) = (0, 0)
    while wins < 6 || blocks < 4 {
      var board = GameInfo.ultimate.board
      while let turn = board.turn {
        let winning = try Self.wins(on: board)
        let cell: Cell
        if !winning.isEmpty {
          cell = try Self.move(on: board)
          wins += 1
          #expect(winning.contains(cell), "\(board.rows)")
        } else {
          let safe = try board.openCells.filter { cell in
            var next = board
            _ = try next.place(turn, at: cell)
            return try Self.wins(on: next).isEmpty
          }
          if !safe.isEmpty, safe.count < board.openCells.count, blocks < 4 {
            cell = try Self.move(on: board)
            blocks += 1
            #expect(safe.contains(cell), "\(board.rows)")
          } else {
            cell = try #require(board.openCells.randomElement(using: &random))
          }
        }
        _ = try board.place(turn, at: cell)
      }
    }
  }

  @Test func `it stops once a move is certain to win, or the only one that does not lose`() throws {
    var random = SeededGenerator(seed: 4)
    var (wins, escapes) = (0, 0)
    while wins < 3 || escapes < 3 {
      var board = GameInfo.ultimate.board
      while let turn = board.turn {
        let open = board.openCells
        let winning = try Self.wins(on: board)
        let safe = try open.filter { cell in
          var next = board
          _ = try next.place(turn, at: cell)
          return try Self.wins(on: next).isEmpty
        }
        let isWin = !winning.isEmpty
        // Where all moves lose, it does not matter which one is played.
        if try isWin || safe.count == 1 && !Self.isLost(board, after: safe[0]) {
          var search = UltimateSearch(board, for: turn, maxNodes: 100_000, isCancelled: { false })
          var generator = SplitMix64(seed: 1)
          let cell = search.bestMove(using: &generator)
          #expect(isWin ? winning.contains(cell) : safe == [cell], "\(board.rows)")
          #expect(search.limit.nodesLeft > 90_000, "\(board.rows)")
          if isWin { wins += 1 } else { escapes += 1 }
        }
        _ = try board.place(turn, at: try #require(open.randomElement(using: &random)))
      }
    }
  }

  private static func move(on board: Board) throws -> Cell {
    let turn = try #require(board.turn)
    var search = UltimateSearch(board, for: turn, maxNodes: 150, isCancelled: { false })
    var random = SplitMix64(seed: 1)
    return search.bestMove(using: &random)
  }

  /// The cells with which the side to move wins at once.
  private static func wins(on board: Board) throws -> [Cell] {
    try board.openCells.filter { cell in
      var next = board
      _ = try next.place(#require(board.turn), at: cell)
      return next.outcome?.winner != nil
    }
  }

  /// Whether the side to move loses after a move of its own, which does not end the game: some reply
  /// leaves it no win, and a loss after each of its next moves.
  private static func isLost(_ board: Board, after cell: Cell) throws -> Bool {
    func after(_ cell: Cell, _ board: Board) throws -> Board {
      var next = board
      _ = try next.place(#require(board.turn), at: cell)
      return next
    }
    let moved = try after(cell, board)
    return try moved.openCells.contains { reply in
      let replied = try after(reply, moved)
      guard replied.turn != nil, try wins(on: replied).isEmpty else { return false }
      return try replied.openCells.allSatisfy { next in
        let last = try after(next, replied)
        return try last.turn != nil && !wins(on: last).isEmpty
      }
    }
  }
}
