import Shared
import TestSupport
import Testing

@testable import Client

/// A match at the server: its events are counted and its boards checked.
@Suite struct RemoteMatchTests {
  private let wire = TestLink()
  private let witness: LinkWitness
  private let match: RemoteMatch
  private let listener = RemoteMatchListenerMock()
  private let game = RemoteGameMock()
  private let empty = Board(.ticTacToe)

  init() {
    witness = LinkWitness(wire.link)
    match = RemoteMatch(link: wire.link)
    match.listener = listener
    match.game = game
    wire.start()
    wire.server.greet()
  }

  private var picture: GamePicture {
    GamePicture(
      game: "tictactoe", you: .x, players: PerMark(x: "ann", o: "bob"), board: empty,
      score: Score())
  }

  private func receive(_ seq: Int, _ body: MatchEvent.Body, of id: String = "m") {
    match.receive(MatchEvent(match: id, seq: seq, body))
  }

  private func change(_ row: Int, _ column: Int, on board: inout Board) throws -> Change {
    let turn = try #require(board.turn)
    return try board.place(turn, at: Cell(row: row, column: column))
  }

  private var failure: LinkState? { witness.states.count > 3 ? witness.states.last : nil }

  @Test func `a game goes to its proxy, its beginning and its end to the listener`() throws {
    var board = empty
    let first = try change(1, 1, on: &board)
    let outcome = Outcome(winner: .x, reason: .resigned)
    receive(1, .gameDidStart(picture))
    receive(2, .boardDidChange(first))
    receive(3, .gameDidEnd(outcome, Score(x: 1)))
    receive(4, .matchDidEnd(.left, by: .o, Score(x: 1)))
    #expect(
      listener.calls == [
        .start(picture), .endGame(outcome, Score(x: 1)), .end(.left, .o),
      ])
    #expect(game.calls == [.change(first), .end(outcome)])
    #expect(failure == nil)
  }

  @Test func `the count goes on over the games of a match`() {
    let draw = Outcome(winner: nil, reason: .full)
    receive(1, .gameDidStart(picture))
    receive(2, .gameDidEnd(draw, Score(draws: 1)))
    receive(3, .gameDidStart(picture))
    #expect(failure == nil)
    receive(3, .gameDidEnd(draw, Score(draws: 2)))
    #expect(failure == .closed(.outOfStep))
  }

  @Test(arguments: [1, 3, 0, -1, 9])
  func `an event that is missing, or comes twice, closes the link`(_ seq: Int) throws {
    var board = empty
    receive(1, .gameDidStart(picture))
    receive(seq, .boardDidChange(try change(0, 0, on: &board)))
    #expect(failure == .closed(.outOfStep))
    #expect(game.calls.isEmpty)
  }

  @Test func `an event of another match in the middle of one closes the link`() {
    receive(1, .gameDidStart(picture))
    receive(1, .gameDidStart(picture), of: "other")
    #expect(failure == .closed(.outOfStep))
    #expect(listener.calls.count == 1)
  }

  @Test func `a new match after the last counts from one again`() {
    receive(1, .gameDidStart(picture))
    receive(2, .matchDidEnd(.left, by: .o, Score()))
    receive(1, .gameDidStart(picture), of: "n")
    #expect(failure == nil)
    #expect(listener.calls.count == 3)
  }

  @Test func `a change that gives another board than the server's closes the link`() throws {
    var board = empty
    _ = try board.place(.x, at: Cell(row: 2, column: 2))
    receive(1, .gameDidStart(picture))
    receive(
      2,
      .boardDidChange(
        Change(
          Placement(cell: Cell(row: 0, column: 0), mark: .x), turn: .o, hash: board.hash)))
    #expect(failure == .closed(.outOfStep))
    #expect(game.calls.isEmpty)
  }

  @Test func `a change off the board, or without a game, closes the link`() throws {
    receive(1, .gameDidStart(picture))
    let outside = Placement(cell: Cell(row: 3, column: 0), mark: .x)
    receive(2, .boardDidChange(Change(outside, turn: .o, hash: empty.hash)))
    #expect(failure == .closed(.outOfStep))
    let other = RemoteMatchTests()
    var board = empty
    other.receive(1, .boardDidChange(try change(0, 0, on: &board)))
    #expect(other.failure == .closed(.outOfStep))
  }

  @Test func `events that this client does not know are counted`() {
    receive(1, .gameDidStart(picture))
    match.receiveUnknown(match: "m", seq: 2)
    receive(3, .gameDidEnd(Outcome(winner: nil, reason: .full), Score(draws: 1)))
    #expect(failure == nil)
    match.receiveUnknown(match: "m", seq: 5)
    #expect(failure == .closed(.outOfStep))
  }

  @Test func `they may begin a match, and do not matter where they are of another`() {
    match.receiveUnknown(match: "m", seq: 1)
    receive(2, .gameDidStart(picture))
    match.receiveUnknown(match: "other", seq: 77)
    receive(3, .matchDidEnd(.left, by: .o, Score()))
    match.receiveUnknown(match: "m", seq: 4)
    #expect(failure == nil)
    #expect(listener.calls.count == 2)
  }

  @Test func `what the person does goes up`() {
    match.place(at: Cell(row: 2, column: 1))
    match.resign()
    match.leave()
    #expect(
      wire.server.take() == [
        #"{"type":"place","row":2,"col":1}"#, #"{"type":"resign"}"#, #"{"type":"leave"}"#,
      ])
  }

  @Test(arguments: [
    (ErrorCode.cellTaken, Refusal.cellTaken), (.notYourTurn, .notYourTurn),
    (.outOfBoard, .outOfBoard), (.noGame, .noGame), (.notInMatch, .noGame),
  ])
  func `a refusal comes to the proxy in the words of the game`(
    _ code: ErrorCode, _ refusal: Refusal
  ) {
    match.place(at: Cell(row: 0, column: 0))
    wire.server.say(.error(code), re: .integer(1))
    #expect(game.calls == [.refuse(refusal)])
  }

  @Test func `a refusal that comes after the game has gone reaches nobody`() {
    match.place(at: Cell(row: 0, column: 0))
    match.game = nil
    wire.server.say(.error(.noGame), re: .integer(1))
    #expect(game.calls.isEmpty)
    #expect(witness.events.isEmpty)
  }
}
