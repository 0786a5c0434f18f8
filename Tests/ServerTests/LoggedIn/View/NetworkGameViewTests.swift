import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct NetworkGameViewTests {
  private let fixture: LobbyFixture
  private let ann: SessionFixture
  private let bob: SessionFixture
  private let channel: MatchChannel
  private let view: NetworkGameView

  init() throws {
    fixture = LobbyFixture()
    ann = try SessionFixture("ann", in: fixture)
    bob = try SessionFixture("bob", in: fixture)
    channel = MatchChannel(
      match: "m", game: .ticTacToe, seats: PerMark(x: ann.session, o: bob.session))
    let series = Series(
      PerMark(x: .person("ann"), o: .person("bob")), score: Score(x: 2, o: 1, draws: 3))
    view = NetworkGameView(
      channel: channel, game: .ticTacToe,
      setup: GameSetup(series: series, seat: .none, board: Board(.ticTacToe)), clock: nil,
      serverLog: fixture.serverLog, counters: GameCounters())
  }

  @Test func `showing a board sends the beginning of a game`() throws {
    view.show(Board(.ticTacToe))
    let expected: JSON = [
      "type": "gameDidStart", "match": "m", "seq": 1, "game": "tictactoe", "you": "X",
      "players": ["X": "ann", "O": "bob"], "rows": 3, "cols": 3, "inARow": 3,
      "board": ["...", "...", "..."], "turn": "X", "score": ["X": 2, "O": 1, "draws": 3],
    ]
    #expect(try ann.hear() == [expected])
    #expect(try bob.hear().first?.without("you") == expected.without("you"))
  }

  @Test func `a change is sent as one diff`() throws {
    var board = Board(.ticTacToe)
    view.apply(try board.place(.x, at: Cell(row: 1, column: 1)))
    #expect(
      try ann.hear() == [
        [
          "type": "boardDidChange", "match": "m", "seq": 1,
          "cells": [["row": 1, "col": 1, "mark": "X"]], "turn": "O", "hash": "afa687df",
        ]
      ])
    #expect(try bob.hear().count == 1)
  }

  @Test(arguments: [
    (MoveError.noGame, "noGame"), (.notYourTurn, "notYourTurn"), (.outOfBoard, "outOfBoard"),
    (.cellTaken, "cellTaken"),
  ])
  func `a refusal is sent only to the player who moved`(refusal: MoveError, code: String) throws {
    view.refuse(refusal, to: .o)
    #expect(try ann.hear() == [])
    #expect(kinds(try bob.hear()) == [code])
    #expect(channel.seq == 0)
  }

  @Test func `a cell off the board is refused with the allowed rows and columns`() throws {
    view.refuse(.outOfBoard, to: .o)
    #expect(
      try bob.hear().map { $0["message"] } == [
        "row must be 0 to 2, and col 0 to 2; or the cell a1 to c3. Type: help place"
      ])
  }

  @Test func `the view does not send the end of a game`() throws {
    view.announce(Outcome(winner: .x, reason: .line))
    #expect(try ann.hear() == [])
  }

  @Test func `the channel passes the players' moves to the game, and does not hold it`() {
    var game: GamePresentableListenerMock? = GamePresentableListenerMock()
    view.listener = game
    channel.place(at: Cell(row: 0, column: 1), by: ann.session)
    #expect(game?.moves == [Cell(row: 0, column: 1)])
    #expect(view.listener === game)
    weak let held = game
    game = nil
    #expect(held == nil)
  }
}

private final class GamePresentableListenerMock: TicTacToePresentableListener {
  private(set) var moves: [Cell] = []

  func place(at cell: Cell, by mark: Mark?) { moves.append(cell) }
  func resign(by mark: Mark?) {}
}
