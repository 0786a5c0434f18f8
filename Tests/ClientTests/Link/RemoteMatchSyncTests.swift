import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// How the client repairs a match after missing or contradictory events.
@Suite struct RemoteMatchSyncTests {
  private let fixture = LinkFixture()
  private let recorder: LinkRecorder
  private let match: RemoteMatch
  private let delegate = RemoteMatchDelegateMock()
  private let game = RemoteGameMock()
  private let server: ScriptedServer
  private let draw = Outcome(winner: nil, reason: .full)

  init() {
    recorder = LinkRecorder(fixture.link)
    let match = RemoteMatch(link: fixture.link)
    self.match = match
    server = fixture.server
    match.delegate = delegate
    match.game = game
    _ = fixture.link.events.subscribe { received in
      if case .match(let event) = received.event { match.receive(event) }
      if case .matchSnapshot(let snapshot) = received.event { match.receive(snapshot) }
    }
    fixture.start()
    server.greet()
    server.beginGame(match: "m")
    _ = server.takeLines()
  }

  private var isClosed: Bool { !fixture.link.isOpen }

  private func change(_ event: Event) throws -> Change {
    guard case .match(let event) = event, case .boardDidChange(let change, _) = event.body else {
      throw NoChangeError()
    }
    return change
  }

  private struct NoChangeError: Error {}

  /// The same change with a hash that does not match the board.
  private func withWrongHash(_ event: Event) throws -> Event {
    guard case .match(let match) = event else { throw NoChangeError() }
    let change = try change(event)
    return .match(
      MatchEvent(
        match: match.match, seq: match.seq,
        .boardDidChange(Change(change.placement, turn: change.turn, hash: change.hash ^ 1))))
  }

  @Test func `repeated events are ignored`() throws {
    let first = server.nextMove(5)
    server.send(first, first)
    let second = server.nextMove(1)
    server.send(second, first)
    #expect(game.calls == [.change(try change(first)), .change(try change(second))])
    #expect(server.takeLines().isEmpty)
  }

  @Test
  func `a gap is requested once, and the events after it are applied when it is filled`()
    throws
  {
    let moves = [5, 1, 9].map { server.nextMove($0) }
    server.send(moves[1], moves[2])
    #expect(game.calls.isEmpty)
    #expect(server.takeLines() == [#"{"type":"sync","id":1,"seq":1}"#])
    server.answer(moves[0])
    server.send(moves[1], moves[2])
    #expect(game.calls == (try moves.map { .change(try change($0)) }))
    #expect(server.takeLines().isEmpty)
    #expect(match.last?.seq == 4)
  }

  @Test func `a change with a wrong hash is repaired by a snapshot`() throws {
    server.send(try withWrongHash(server.nextMove(5)))
    #expect(game.calls.isEmpty)
    #expect(server.takeLines() == [#"{"type":"sync","id":1}"#])
    server.send(server.snapshot(), re: .integer(1))
    let board = try #require(Board(.ticTacToe, rows: ["...", ".X.", "..."], turn: .o))
    #expect(game.calls == [.show(board)])
    let next = server.nextMove(1)
    server.send(next)
    #expect(game.calls.last == .change(try change(next)))
  }

  @Test func `a change with a wrong hash after a snapshot closes the link`() throws {
    server.send(try withWrongHash(server.nextMove(5)))
    server.send(server.snapshot(), re: .integer(1))
    server.send(try withWrongHash(server.nextMove(1)))
    #expect(recorder.states.last == .closed(.outOfStep))
  }

  @Test func `a snapshot older than the latest event closes the link`() {
    let old = server.snapshot()
    server.move(5)
    server.send(old)
    #expect(isClosed)
  }

  private static let wide = BoardShape(rows: 3, columns: 4, inARow: 3)

  /// A snapshot of an empty board, which can contradict the events before it.
  private func snapshot(
    of game: String = "tictactoe", you: Mark? = .x, o: String = "bob", shape: BoardShape? = nil
  ) -> Event {
    .matchSnapshot(
      MatchSnapshot(
        match: "m", seq: 2,
        GameState(
          game: game, you: you, players: PerMark(x: "ann", o: o),
          board: Board(shape ?? .ticTacToe), score: Score()),
        online: PerMark(x: true, o: true), outcome: nil))
  }

  @Test func `a snapshot that contradicts the running game closes the link`() {
    let others = [
      snapshot(shape: Self.wide), snapshot(of: "gomoku"), snapshot(you: .o),
      snapshot(you: nil), snapshot(o: "eve"),
    ]
    for other in others {
      let tests = RemoteMatchSyncTests()
      tests.server.send(other)
      #expect(tests.game.calls.isEmpty)
      #expect(tests.delegate.calls.count == 1)
      #expect(tests.recorder.states.last == .closed(.outOfStep))
    }
    server.send(snapshot())
    #expect(!isClosed)
  }

  @Test func `a snapshot begins the game of a match that is known only from chat`() {
    server.endMatch(.left, by: .o)
    server.send(.match(MatchEvent(match: "n", seq: 1, .didSay(from: "bob", text: "hello"))))
    server.send(
      .matchSnapshot(
        MatchSnapshot(
          match: "n", seq: 2,
          GameState(
            game: "tictactoe", you: .x, players: PerMark(x: "ann", o: "bob"),
            board: Board(.ticTacToe), score: Score()),
          online: PerMark(x: true, o: true), outcome: nil)))
    guard case .start = delegate.calls.last else {
      Issue.record("No game was begun.")
      return
    }
  }

  @Test func `an end of game that does not fit the board requests a snapshot`() {
    let beyond = [0, 1, 2].map { Cell(row: $0, column: 3) }
    server.endGame(Outcome(winner: .x, reason: .line, line: beyond), score: Score(x: 1))
    #expect(game.calls.isEmpty)
    #expect(delegate.calls.count == 1)
    #expect(server.takeLines() == [#"{"type":"sync","id":1}"#])
  }

  @Test func `a second end of the same game requests a snapshot`() {
    server.endGame(draw, score: Score(draws: 1))
    server.endGame(draw, score: Score(draws: 2))
    #expect(game.calls == [.end(draw)])
    #expect(delegate.calls.count == 2)
    #expect(server.takeLines() == [#"{"type":"sync","id":1}"#])
  }

  @Test func `a snapshot of the current board changes nothing`() {
    server.move(5)
    server.send(server.snapshot())
    #expect(game.calls.count == 1)
    #expect(delegate.calls.count == 1)
  }

  @Test func `a snapshot of a finished game ends the running one`() {
    _ = server.nextEvent(.gameDidEnd(draw, Score(draws: 1)))
    server.send(server.snapshot(score: Score(draws: 1), outcome: draw))
    #expect(game.calls.last == .end(draw))
    #expect(delegate.calls.last == .endGame(draw, Score(draws: 1)))
    #expect(delegate.calls.count == 2)
  }

  @Test func `a snapshot of the next game replaces the proxy`() {
    server.send(server.snapshot(score: Score(draws: 1)))
    #expect(delegate.calls.count == 2)
    guard case .start(let state) = delegate.calls.last else {
      Issue.record("No game was begun.")
      return
    }
    #expect(state.score == Score(draws: 1))
    #expect(game.calls.isEmpty)
  }

  @Test func `a snapshot of the last game between games changes nothing`() {
    server.endGame(draw, score: Score(draws: 1))
    let calls = delegate.calls
    server.send(server.snapshot(score: Score(draws: 1), outcome: draw))
    #expect(delegate.calls == calls)
    server.beginGame(you: .o, x: "bob", o: "ann", score: Score(draws: 1))
    #expect(delegate.calls.count == calls.count + 1)
  }

  @Test func `a snapshot of a missed game starts and ends that game`() {
    server.endGame(draw, score: Score(draws: 1))
    server.send(server.snapshot(score: Score(draws: 2), outcome: draw))
    #expect(delegate.calls.count == 4)
    #expect(delegate.calls.last == .endGame(draw, Score(draws: 2)))
  }

  @Test func `a match that the server no longer knows is reported as vanished`() throws {
    _ = server.nextMove(5)
    server.move(1)
    _ = server.takeLines()
    server.send(.error(.notInMatch), re: .integer(1))
    #expect(delegate.calls.last == .vanish)
  }

  @Test func `a move on a closed link is reported as unanswered`() {
    fixture.link.close(.lost)
    match.place(at: Cell(row: 0, column: 0))
    #expect(delegate.calls.last == .noAnswer)
    #expect(game.calls.isEmpty)
  }
}
