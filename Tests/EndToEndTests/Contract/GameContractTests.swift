import RIBs
import Shared
import TestSupport
import Testing

/// The contract of a game with its parent and its view, wherever its rules run.
@Suite struct GameContractTests {
  /// Registering a `GameInfo` is all that a game takes.
  static let games = GameInfo.all

  private typealias Call = RecordingGameView.Call

  @Test(arguments: Deployment.allCases, games)
  func `a game begins by showing an empty board, with X to move`(
    deployment: Deployment, game: GameInfo
  ) throws {
    let fixture = try deployment.makeFixture(for: game)
    for mark in Mark.allCases {
      #expect(fixture.view(of: mark)?.calls == [.show(game.board)])
      #expect(fixture.parent(of: mark).game?.board == game.board)
    }
  }

  @Test(arguments: Deployment.allCases, games)
  func `a move is one change in every view`(deployment: Deployment, game: GameInfo) throws {
    let fixture = try deployment.makeFixture(for: game)
    var board = game.board
    let cell = try #require(board.openCells.last)
    try fixture.place(.x, at: cell)
    let change = try board.place(.x, at: cell)
    for mark in Mark.allCases {
      #expect(fixture.view(of: mark)?.calls == [.show(game.board), .apply(change)])
      #expect(fixture.parent(of: mark).game?.board == board)
    }
  }

  @Test(arguments: Deployment.played, games)
  func `a refused move is reported to the player that made it, and nothing is drawn`(
    deployment: Deployment, game: GameInfo
  ) throws {
    let fixture = try deployment.makeFixture(for: game)
    let taken = try #require(game.board.openCells.last)
    try fixture.place(.x, at: taken)
    for (mark, cell, refusal) in [
      (Mark.x, Cell(row: 1, column: 1), MoveError.notYourTurn),
      (.o, taken, .cellTaken),
      (.o, Cell(row: -1, column: 0), .outOfBoard),
      (.o, Cell(row: 0, column: game.shape.columns), .outOfBoard),
    ] {
      let mine = try #require(fixture.view(of: mark))
      let theirs = try #require(fixture.view(of: mark.other))
      let (before, others) = (mine.calls, theirs.calls)
      try fixture.place(mark, at: cell)
      #expect(mine.calls == before + [.refuse(refusal)])
      #expect(theirs === mine || theirs.calls == others)
    }
    #expect(fixture.view(of: .x)?.board?.freeCells.count == game.shape.cellCount - 1)
  }

  @Test(arguments: Deployment.allCases)
  func `a win is the last change, then the announcement, then gameDidEnd`(
    deployment: Deployment
  ) throws {
    let fixture = try deployment.makeFixture(for: .ticTacToe)
    try fixture.play([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)])
    let line = (0...2).map { Cell(row: 0, column: $0) }
    let outcome = Outcome(winner: .x, reason: .line, line: line)
    for mark in Mark.allCases {
      let parent = fixture.parent(of: mark)
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

  @Test(arguments: Deployment.played, [GameInfo.connect, .ultimate])
  func `a free cell that is not open is refused, and the view knows the open cells`(
    deployment: Deployment, game: GameInfo
  ) throws {
    let fixture = try deployment.makeFixture(for: game)
    var board = game.board
    let first = try #require(board.openCells.last)
    try fixture.place(.x, at: first)
    _ = try board.place(.x, at: first)
    let view = try #require(fixture.view(of: .o))
    #expect(view.board?.open == board.open)
    let closed = try #require(board.freeCells.first { !board.isOpen($0) })
    try fixture.place(.o, at: closed)
    #expect(view.calls.last == .refuse(.notOpen))
    #expect(view.board?.rows == board.rows)
  }

  @Test(arguments: Deployment.allCases, games)
  func `a game of random moves ends alike for both players`(
    deployment: Deployment, game: GameInfo
  ) throws {
    var random = SeededGenerator(seed: 5)
    let fixture = try deployment.makeFixture(for: game)
    var board = game.board
    while let turn = board.turn {
      let cell = try #require(board.openCells.randomElement(using: &random))
      _ = try board.place(turn, at: cell)
      try fixture.place(turn, at: cell)
    }
    for mark in Mark.allCases {
      #expect(fixture.parent(of: mark).outcomes == [board.outcome].compactMap(\.self))
    }
  }

  @Test(arguments: Deployment.allCases)
  func `a full board is a draw`(deployment: Deployment) throws {
    let fixture = try deployment.makeFixture(for: .ticTacToe)
    try fixture.play([
      (0, 0), (1, 1), (2, 2), (0, 1), (2, 1), (2, 0), (0, 2), (1, 2), (1, 0),
    ])
    for mark in Mark.allCases {
      #expect(fixture.parent(of: mark).outcomes == [Outcome(winner: nil, reason: .full)])
    }
  }

  @Test(arguments: Deployment.allCases, games)
  func `a player who resigns loses, in turn or not`(deployment: Deployment, game: GameInfo) throws {
    for loser in Mark.allCases {
      let fixture = try deployment.makeFixture(for: game)
      try fixture.resign(loser)
      let outcome = Outcome(winner: loser.other, reason: .resigned)
      for mark in Mark.allCases {
        #expect(fixture.parent(of: mark).outcomes == [outcome])
        #expect(fixture.parent(of: mark).viewFactory.first?.calls.last == .announce(outcome))
      }
    }
  }

  @Test(arguments: Deployment.allCases, games)
  func `a parent ends the game when a player leaves, without a line`(
    deployment: Deployment, game: GameInfo
  ) throws {
    let fixture = try deployment.makeFixture(for: game)
    try fixture.place(.x, at: try #require(game.board.openCells.first))
    try fixture.end(.left, by: .x)
    for mark in Mark.allCases {
      #expect(fixture.parent(of: mark).outcomes == [Outcome(winner: .o, reason: .left)])
    }
  }

  @Test(arguments: Deployment.allCases, games)
  func `a rematch has a new board, swapped marks and the score`(
    deployment: Deployment, game: GameInfo
  ) throws {
    let fixture = try deployment.makeFixture(for: game)
    let first = fixture.parent(of: .x)
    let cell = try #require(game.board.openCells.last)
    try fixture.place(.x, at: cell)
    try fixture.resign(.o)
    let old = try #require(first.viewFactory.first)
    let calls = old.calls
    try fixture.playNext()
    #expect(first.setups.count == 2)
    #expect(first.setups.last?.series.score == Score(x: 0, o: 1))
    #expect(first.setups.last?.series.players == first.setups.first?.series.players.swapped)
    try fixture.place(.x, at: cell)
    for mark in Mark.allCases {
      let view = try #require(fixture.view(of: mark))
      #expect(view.calls.first == .show(game.board))
      #expect(view.board?[cell] == .x)
      #expect(view.board?.freeCells.count == game.shape.cellCount - 1)
    }
    #expect(old.calls == calls)
  }

  @Test(arguments: Deployment.allCases)
  func `a game is freed once it is over`(deployment: Deployment) throws {
    let fixture = try deployment.makeFixture(for: .ticTacToe)
    weak let game = fixture.parent(of: .x).game
    weak let interactor = game?.interactable
    #expect(interactor != nil)
    try fixture.resign(.x)
    #expect(game == nil)
    #expect(interactor == nil)
  }

  @Test(arguments: 0..<40)
  func `a series has the same result however its bytes are split`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try Deployment.memory.makeFixture(for: .ticTacToe, seed: seed)
    for number in 1...3 {
      var board = Board(.ticTacToe)
      while let turn = board.turn, let cell = board.freeCells.randomElement(using: &random) {
        _ = try board.place(turn, at: cell)
        try fixture.place(turn, at: cell)
      }
      for mark in Mark.allCases {
        #expect(fixture.view(of: mark)?.board == viewed(board))
        #expect(fixture.parent(of: mark).outcomes.count == number)
        #expect(fixture.parent(of: mark).outcomes.last == board.outcome)
      }
      try fixture.playNext()
    }
  }

  /// A board as a view knows it. The outcome reaches the view separately.
  private func viewed(_ board: Board) -> Board? {
    Board(board.shape, rows: board.rows, turn: board.turn)
  }
}
