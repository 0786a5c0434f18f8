import Shared
import TestSupport
import Testing

@testable import Client

/// How the client follows a match on the server when no event is missing.
@Suite struct RemoteMatchTests {
  private let fixture = LinkFixture()
  private let recorder: LinkRecorder
  private let match: RemoteMatch
  private let delegate = RemoteMatchDelegateMock()
  private let game = RemoteGameMock()
  private let empty = Board(.ticTacToe)

  init() {
    recorder = LinkRecorder(fixture.link)
    match = RemoteMatch(link: fixture.link)
    match.delegate = delegate
    match.game = game
    fixture.start()
    fixture.server.greet()
  }

  private var state: GameState {
    GameState(
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

  private var failure: LinkState? { recorder.states.count > 3 ? recorder.states.last : nil }

  @Test func `changes go to the proxy, the start and the end of a game to the delegate`() throws {
    var board = empty
    let first = try change(1, 1, on: &board)
    let outcome = Outcome(winner: .x, reason: .resigned)
    receive(1, .gameDidStart(state))
    receive(2, .boardDidChange(first))
    receive(3, .gameDidEnd(outcome, Score(x: 1)))
    receive(4, .matchDidEnd(.left, by: .o, Score(x: 1)))
    #expect(
      delegate.calls == [
        .start(state), .endGame(outcome, Score(x: 1)), .end(.left, .o),
      ])
    #expect(game.calls == [.change(first), .end(outcome)])
    #expect(failure == nil)
  }

  @Test func `sequence numbers continue across the games of a match`() {
    let draw = Outcome(winner: nil, reason: .full)
    receive(1, .gameDidStart(state))
    receive(2, .gameDidEnd(draw, Score(draws: 1)))
    receive(3, .gameDidStart(state))
    #expect(failure == nil)
    receive(4, .gameDidEnd(draw, Score(draws: 2)))
    #expect(delegate.calls.count == 4)
    #expect(match.last?.seq == 4)
  }

  @Test func `sequence numbers restart at 1 in a new match`() {
    receive(1, .gameDidStart(state))
    receive(2, .matchDidEnd(.left, by: .o, Score()))
    receive(1, .gameDidStart(state), of: "n")
    #expect(failure == nil)
    #expect(delegate.calls.count == 3)
  }

  @Test func `events of an unknown type are counted`() {
    receive(1, .gameDidStart(state))
    match.receiveUnknown(match: "m", seq: 2)
    receive(3, .gameDidEnd(Outcome(winner: nil, reason: .full), Score(draws: 1)))
    #expect(delegate.calls.count == 2)
    match.receiveUnknown(match: "m", seq: 4)
    #expect(match.last?.seq == 4)
  }

  @Test func `an unknown event can begin a match, and is ignored in any other match`() {
    match.receiveUnknown(match: "m", seq: 1)
    receive(2, .gameDidStart(state))
    match.receiveUnknown(match: "other", seq: 77)
    receive(3, .matchDidEnd(.left, by: .o, Score()))
    match.receiveUnknown(match: "m", seq: 4)
    #expect(failure == nil)
    #expect(delegate.calls.count == 2)
  }

  @Test func `moves, resigning and leaving are sent to the server`() {
    match.place(at: Cell(row: 2, column: 1))
    match.resign()
    match.leave()
    #expect(
      fixture.server.takeLines() == [
        #"{"type":"place","id":1,"row":2,"col":1}"#, #"{"type":"resign","id":2}"#,
        #"{"type":"leave","id":3}"#,
      ])
  }

  @Test(arguments: [
    (ErrorCode.cellTaken, MoveError.cellTaken), (.notYourTurn, .notYourTurn),
    (.outOfBoard, .outOfBoard), (.noGame, .noGame), (.notInMatch, .noGame),
  ])
  func `an error code reaches the proxy as a move error`(
    _ code: ErrorCode, _ refusal: MoveError
  ) {
    match.place(at: Cell(row: 0, column: 0))
    fixture.server.send(.error(code), re: .integer(1))
    #expect(game.calls == [.refuse(refusal)])
  }

  @Test func `a refusal after the end of the game is dropped`() {
    match.place(at: Cell(row: 0, column: 0))
    match.game = nil
    fixture.server.send(.error(.noGame), re: .integer(1))
    #expect(game.calls.isEmpty)
    #expect(recorder.events.isEmpty)
  }
}
