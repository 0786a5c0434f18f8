import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct LoggedInInteractorTests {
  private let fixture: LobbyFixture
  private let ann: SessionFixture
  private let bob: SessionFixture
  private let scoreStream = MutableScoreStream()
  private let channel: MatchChannel
  private let interactor: LoggedInInteractor
  private let router = LoggedInRoutingMock()
  private let listener = LoggedInListenerMock()

  init() throws {
    fixture = LobbyFixture()
    ann = try SessionFixture("ann", in: fixture)
    bob = try SessionFixture("bob", in: fixture)
    channel = MatchChannel(
      match: "m", game: .ticTacToe, seats: PerMark(x: ann.session, o: bob.session))
    interactor = LoggedInInteractor(
      setup: MatchSetup(
        id: "m", game: .ticTacToe, players: PerMark(x: ann.session, o: bob.session)),
      parts: MatchParts(
        channel: channel,
        presence: Presence(channel: channel, grace: .seconds(60), timers: fixture.clock),
        clock: nil, scoreStream: scoreStream, counters: GameCounters()),
      matches: fixture.matches, maxSpectators: nil, timers: fixture.clock,
      serverLog: fixture.serverLog)
    interactor.router = router
    router.interactor = interactor
    interactor.listener = listener
  }

  @Test func `a match begins with its first game`() {
    interactor.activate()
    #expect(router.setups.map(\.board) == [Board(.ticTacToe)])
    #expect(router.setups.map(\.seat) == [.none])
    #expect(router.setups.first?.series.players == PerMark(x: .person("ann"), o: .person("bob")))
    #expect(scoreStream.latest?.score == Score())
    #expect(ann.isPlaying(interactor) && bob.isPlaying(interactor))
    #expect(interactor.summary.isRunning)
  }

  @Test func `the end of a game counts, is sent, and detaches the game`() throws {
    interactor.activate()
    interactor.gameDidEnd(with: Outcome(winner: .o, reason: .resigned))
    #expect(scoreStream.latest?.score == Score(o: 1))
    #expect(kinds(try ann.hear()) == ["gameDidEnd"])
    #expect(router.cleanupViewsCallCount == 1)
    #expect(!interactor.summary.isRunning)
    #expect(listener.ended == [])
  }

  @Test func `the next game begins when both have asked, with swapped marks`() throws {
    interactor.activate()
    interactor.gameDidEnd(with: Outcome(winner: .x, reason: .line))
    _ = try (ann.hear(), bob.hear())
    try interactor.start(by: ann.session, opponent: nil, game: nil, level: nil)
    #expect(router.setups.count == 1)
    #expect(kinds(try ann.hear()) == ["didQueue"])
    #expect(kinds(try bob.hear()) == ["invited"])
    try interactor.start(by: bob.session, opponent: " ANN", game: "tictactoe", level: nil)
    #expect(router.setups.count == 2)
    #expect(router.setups.last?.series.players == PerMark(x: .person("bob"), o: .person("ann")))
    #expect(router.setups.last?.series.score == Score(o: 1))
    #expect(channel.mark(of: ann.session) == .o)
  }

  @Test func `a rematch cannot be requested while a game runs`() {
    interactor.activate()
    #expect(throws: CommandError(.inMatch)) {
      try interactor.start(by: ann.session, opponent: "zed", game: "chess", level: nil)
    }
    #expect(throws: CommandError(.notWaiting)) { try interactor.cancel(by: ann.session) }
  }

  @Test func `the next game is with the same opponent and of the same kind`() throws {
    interactor.activate()
    interactor.gameDidEnd(with: Outcome(winner: nil, reason: .full))
    let tail = "To play the next game, type: start. To leave, type: leave"
    #expect(
      throws: CommandError(.inMatch, field: "opponent", "This match is against bob. \(tail)")
    ) {
      try interactor.start(by: ann.session, opponent: "bot", game: nil, level: nil)
    }
    #expect(
      throws: CommandError(.inMatch, field: "game", "This match plays Tic Tac Toe. \(tail)")
    ) {
      try interactor.start(by: ann.session, opponent: "bob", game: "four", level: nil)
    }
    try interactor.start(by: ann.session, opponent: nil, game: nil, level: nil)
    // alreadyWaiting is checked before the fields.
    #expect(throws: CommandError(.alreadyWaiting)) {
      try interactor.start(by: ann.session, opponent: "bot", game: nil, level: nil)
    }
  }

  @Test func `a player who leaves between games only ends the match`() throws {
    interactor.activate()
    interactor.gameDidEnd(with: Outcome(winner: nil, reason: .full))
    _ = try (ann.hear(), bob.hear())
    interactor.leave(by: bob.session)
    let lines = try ann.hear()
    #expect(kinds(lines) == ["matchDidEnd"])
    #expect(lines.first?["by"] == "O")
    #expect(lines.first?["score"] == ["X": 0, "O": 0, "draws": 1])
    #expect(listener.ended == ["m"])
  }

  @Test func `a player who leaves a running game ends it first`() {
    interactor.activate()
    let game = router.game
    game?.onEnd = { [interactor] reason, mark in
      interactor.gameDidEnd(with: Outcome(winner: mark.other, reason: reason))
    }
    interactor.leave(by: ann.session)
    #expect(game?.ends.map(\.reason) == [.left])
    #expect(game?.ends.map(\.mark) == [.x])
    #expect(scoreStream.latest?.score == Score(o: 1))
    #expect(listener.ended == ["m"])
  }

  @Test func `a shutdown ends the match, but not the game`() throws {
    interactor.activate()
    let game = router.game
    interactor.shutDown()
    #expect(game?.ends.isEmpty == true)
    let lines = try ann.hear()
    #expect(kinds(lines) == ["matchDidEnd"])
    #expect(lines.first?["reason"] == "shutdown")
    #expect(lines.first?["by"] == nil)
    #expect(listener.ended == ["m"])
  }

  @Test func `when the match deactivates, its game is detached and its players are in the lobby`() {
    interactor.activate()
    interactor.deactivate()
    #expect(router.cleanupViewsCallCount == 1)
    #expect(ann.isInLobby && bob.isInLobby)
  }

  @Test func `between games place and resign are refused`() throws {
    interactor.activate()
    interactor.gameDidEnd(with: Outcome(winner: nil, reason: .full))
    #expect(throws: CommandError(.noGame)) { try interactor.resign(by: ann.session) }
    #expect(throws: CommandError(.noGame)) {
      try interactor.place(at: Cell(row: 0, column: 0), seq: 99, by: ann.session)
    }
  }
}

extension SessionFixture {
  fileprivate func isPlaying(_ match: any Match) -> Bool {
    if case .playing(let own) = session.place { own === match } else { false }
  }

  fileprivate var isInLobby: Bool {
    if case .lobby = session.place { true } else { false }
  }
}
