import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// The proxy of a game on the server.
@Suite struct RemoteTicTacToeTests {
  private let fixture = LinkFixture()
  private let match: RemoteMatch
  private let dependency = GameDependencyMock()
  private let listener = GameListenerMock()

  init() {
    match = RemoteMatch(link: fixture.link)
    fixture.start()
    fixture.server.greet()
  }

  private func build(board: Board = Board(.ticTacToe)) -> any GameRouting {
    RemoteTicTacToeBuilder(dependency: dependency, game: .ticTacToe, match: match).build(
      withListener: listener,
      setup: GameSetup(
        series: Series(PerMark(x: .person("ann"), o: .person("bob"))), seat: .one(.x),
        board: board))
  }

  @Test func `the proxy shows the current board when it becomes active`() throws {
    let board = try #require(Board(.ticTacToe, rows: ["X..", "...", "..."], turn: .o))
    let router = build(board: board)
    #expect(dependency.view.calls.isEmpty)
    #expect(match.game == nil)
    router.interactable.activate()
    #expect(dependency.view.calls == [.show(board)])
    #expect(match.game != nil)
    #expect(router.board == board)
  }

  @Test func `moves are sent without a mark and drawn after confirmation`() {
    let router = build()
    router.interactable.activate()
    dependency.view.listener?.place(at: Cell(row: 1, column: 2), by: nil)
    dependency.view.listener?.place(at: Cell(row: 0, column: 0), by: .o)
    dependency.view.listener?.resign(by: .x)
    #expect(
      fixture.server.takeLines() == [
        #"{"type":"place","id":1,"row":1,"col":2}"#, #"{"type":"place","id":2,"row":0,"col":0}"#,
        #"{"type":"resign","id":3}"#,
      ])
    #expect(dependency.view.calls == [.show(Board(.ticTacToe))])
    #expect(router.board == Board(.ticTacToe))
  }

  @Test func `events reach the view, and the end of the game the listener`() throws {
    let router = build()
    router.interactable.activate()
    var board = Board(.ticTacToe)
    match.receive(
      MatchEvent(
        match: "m", seq: 1,
        .gameDidStart(
          GameState(
            game: "tictactoe", you: .x, players: PerMark(x: "ann", o: "bob"), board: board,
            score: Score()))))
    let change = try board.place(.x, at: Cell(row: 1, column: 1))
    let outcome = Outcome(winner: .x, reason: .timeout)
    match.receive(MatchEvent(match: "m", seq: 2, .boardDidChange(change, timeLeft: nil)))
    #expect(router.board == board)
    match.game?.wasRefused(.cellTaken)
    match.game?.gameDidEnd(with: outcome)
    #expect(
      dependency.view.calls == [
        .show(Board(.ticTacToe)), .apply(change), .refuse(.cellTaken), .announce(outcome),
      ])
    #expect(listener.outcomes == [outcome])
  }

  @Test func `ending the proxy sends a leave command`() {
    let router = build()
    router.interactable.activate()
    router.end(.left, by: .o)
    #expect(fixture.server.takeLines() == [#"{"type":"leave","id":1}"#])
    #expect(listener.outcomes.isEmpty)
  }

  @Test func `an inactive proxy receives no events`() {
    let router = build()
    router.interactable.activate()
    router.interactable.deactivate()
    #expect(match.game == nil)
  }

  @Test func `a deactivated proxy does not detach its successor from the match`() {
    let first = build()
    first.interactable.activate()
    let second = build()
    second.interactable.activate()
    first.interactable.deactivate()
    #expect(match.game === second.interactable)
  }

  @Test func `a released proxy is deallocated`() {
    weak var interactor: AnyObject?
    do {
      let router = build()
      router.interactable.activate()
      dependency.view.listener?.place(at: Cell(row: 0, column: 0), by: nil)
      interactor = router.interactable
      #expect(interactor != nil)
    }
    #expect(interactor == nil)
    #expect(match.game == nil)
    #expect(dependency.view.listener == nil)
  }
}

final class GameDependencyMock: TicTacToeDependency {
  let random = RandomSource(SeededGenerator(seed: 1))
  let botThinker: any BotThinker = ManualBotThinker()
  let view = RecordingGameView()

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable { view }
}

final class GameListenerMock: GameListener {
  private(set) var outcomes: [Outcome] = []

  func gameDidEnd(with outcome: Outcome) { outcomes.append(outcome) }
}
