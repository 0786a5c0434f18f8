import Shared
import TestSupport
import Testing

/// What every game has to be to its parent and to its view, wherever its rules are.
@Suite struct GameContractTests {
  /// A second game, with another board, is nothing but its registration.
  static let games = [
    GameInfo.ticTacToe,
    BoardShape(rows: 4, columns: 4, inARow: 4).map {
      GameInfo(id: "four", name: "Four in a Row", shape: $0)
    },
  ].compactMap { $0 }

  private typealias Call = RecordingGameView.Call

  @Test(arguments: Home.allCases, games)
  func `a game begins by showing an empty board, with X to move`(
    home: Home, game: GameInfo
  ) throws {
    let table = try home.table(for: game)
    for mark in Mark.allCases {
      #expect(table.view(of: mark)?.calls == [.show(Board(game.shape))])
      #expect(table.parent(of: mark).game?.board == Board(game.shape))
    }
  }

  @Test(arguments: Home.allCases, games)
  func `a move is one change in every view`(home: Home, game: GameInfo) throws {
    let table = try home.table(for: game)
    try table.place(.x, at: Cell(row: 1, column: 1))
    var board = Board(game.shape)
    let change = try board.place(.x, at: Cell(row: 1, column: 1))
    for mark in Mark.allCases {
      #expect(table.view(of: mark)?.calls == [.show(Board(game.shape)), .apply(change)])
      #expect(table.parent(of: mark).game?.board == board)
    }
  }

  @Test(arguments: Home.allCases, games)
  func `a refused move is said to who made it, and nothing is drawn`(
    home: Home, game: GameInfo
  ) throws {
    let table = try home.table(for: game)
    try table.place(.x, at: Cell(row: 0, column: 0))
    for (mark, cell, refusal) in [
      (Mark.x, Cell(row: 1, column: 1), MoveError.notYourTurn),
      (.o, Cell(row: 0, column: 0), .cellTaken),
      (.o, Cell(row: -1, column: 0), .outOfBoard),
      (.o, Cell(row: 0, column: game.shape.columns), .outOfBoard),
    ] {
      let mine = try #require(table.view(of: mark))
      let theirs = try #require(table.view(of: mark.other))
      let (before, others) = (mine.calls, theirs.calls)
      try table.place(mark, at: cell)
      #expect(mine.calls == before + [.refuse(refusal)])
      #expect(theirs === mine || theirs.calls == others)
    }
    #expect(table.view(of: .x)?.board?.freeCells.count == game.shape.cellCount - 1)
  }

  @Test(arguments: Home.allCases)
  func `a win is the last change, the announcement, and then the listener's`(
    home: Home
  ) throws {
    let table = try home.table(for: .ticTacToe)
    try table.play([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)])
    let line = (0...2).map { Cell(row: 0, column: $0) }
    let outcome = Outcome(winner: .x, reason: .line, line: line)
    for mark in Mark.allCases {
      let parent = table.parent(of: mark)
      let calls = try #require(parent.viewFactory.first).calls
      #expect(calls.count == 7)
      #expect(calls.last == .announce(outcome))
      guard case .apply(let change)? = calls.dropLast().last else {
        Issue.record("the last change is missing")
        return
      }
      #expect(change.turn == nil)
      #expect(parent.outcomes == [outcome])
      #expect(parent.game == nil)
    }
  }

  @Test(arguments: Home.allCases)
  func `a full board is a draw`(home: Home) throws {
    let table = try home.table(for: .ticTacToe)
    try table.play([
      (0, 0), (1, 1), (2, 2), (0, 1), (2, 1), (2, 0), (0, 2), (1, 2), (1, 0),
    ])
    for mark in Mark.allCases {
      #expect(table.parent(of: mark).outcomes == [Outcome(winner: nil, reason: .full)])
    }
  }

  @Test(arguments: Home.allCases, games)
  func `who resigns loses, in and out of turn`(home: Home, game: GameInfo) throws {
    for loser in Mark.allCases {
      let table = try home.table(for: game)
      try table.resign(loser)
      let outcome = Outcome(winner: loser.other, reason: .resigned)
      for mark in Mark.allCases {
        #expect(table.parent(of: mark).outcomes == [outcome])
        #expect(table.parent(of: mark).viewFactory.first?.calls.last == .announce(outcome))
      }
    }
  }

  @Test(arguments: Home.allCases, games)
  func `a parent ends the game of who leaves, which has no line`(
    home: Home, game: GameInfo
  ) throws {
    let table = try home.table(for: game)
    try table.place(.x, at: Cell(row: 0, column: 0))
    try table.end(.left, by: .x)
    for mark in Mark.allCases {
      #expect(table.parent(of: mark).outcomes == [Outcome(winner: .o, reason: .left)])
    }
  }

  @Test(arguments: Home.allCases, games)
  func `the next game has its own board, changed marks and the score`(
    home: Home, game: GameInfo
  ) throws {
    let table = try home.table(for: game)
    let first = table.parent(of: .x)
    try table.place(.x, at: Cell(row: 0, column: 0))
    try table.resign(.o)
    let old = try #require(first.viewFactory.first)
    let calls = old.calls
    try table.playNext()
    #expect(first.setups.count == 2)
    #expect(first.setups.last?.series.score == Score(x: 0, o: 1))
    #expect(first.setups.last?.series.players == first.setups.first?.series.players.swapped)
    try table.place(.x, at: Cell(row: 2, column: 2))
    for mark in Mark.allCases {
      let view = try #require(table.view(of: mark))
      #expect(view.calls.first == .show(Board(game.shape)))
      #expect(view.board?[Cell(row: 2, column: 2)] == .x)
      #expect(view.board?.freeCells.count == game.shape.cellCount - 1)
    }
    #expect(old.calls == calls)
  }

  @Test(arguments: Home.allCases)
  func `a game is freed once it is over`(home: Home) throws {
    let table = try home.table(for: .ticTacToe)
    weak let game = table.parent(of: .x).game
    weak let interactor = game?.interactable
    #expect(interactor != nil)
    try table.resign(.x)
    #expect(game == nil)
    #expect(interactor == nil)
  }

  @Test(arguments: 0..<40)
  func `whole series go the same way however the bytes are split`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = try Home.memory.table(for: .ticTacToe, seed: seed)
    for number in 1...3 {
      var board = Board(.ticTacToe)
      while let turn = board.turn, let cell = board.freeCells.randomElement(using: &random) {
        _ = try board.place(turn, at: cell)
        try table.place(turn, at: cell)
      }
      for mark in Mark.allCases {
        #expect(table.view(of: mark)?.board == picture(of: board))
        #expect(table.parent(of: mark).outcomes.count == number)
        #expect(table.parent(of: mark).outcomes.last == board.outcome)
      }
      try table.playNext()
    }
  }

  /// A board as a view knows it: what the outcome is, is told apart.
  private func picture(of board: Board) -> Board? {
    Board(board.shape, rows: board.rows, turn: board.turn)
  }
}
