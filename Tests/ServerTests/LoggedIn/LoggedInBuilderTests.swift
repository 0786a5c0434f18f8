import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct LoggedInBuilderTests {
  private let fixture: LobbyFixture
  private let ann: SessionFixture
  private let bob: SessionFixture
  private let listener = LoggedInListenerMock()

  init() throws {
    fixture = LobbyFixture()
    ann = try SessionFixture("ann", in: fixture)
    bob = try SessionFixture("bob", in: fixture)
  }

  @Test func `a match plays, reports its end, and is freed`() throws {
    let parent = Router<Interactor>(interactor: Interactor())
    let clock = ManualTimers()
    var leaks: [String] = []
    parent.detectLeaks(
      with: LeakDetector(
        schedule: { clock.schedule(after: $0, $1).cancel }, didLeak: { leaks.append($0) }))
    parent.interactable.activate()
    weak var freed: (any LoggedInRouting)?
    weak var freedGame: (any Routing)?
    do {
      let router = build(.ticTacToe)
      freed = router
      parent.attachChild(router)
      freedGame = router.children.first
      #expect(kinds(try ann.hear()) == ["gameDidStart"])
      #expect(kinds(try bob.hear()) == ["gameDidStart"])
      let match = router.interactable as? any Match
      #expect(match?.summary.players == PerMark(x: "ann", o: "bob"))
      listener.onEnd = { [unowned router] in parent.detachChild(router) }
      ann.connection.receive("leave\n")
    }
    #expect(kinds(try bob.hear()) == ["gameDidEnd", "matchDidEnd"])
    #expect(listener.ended == ["m"])
    #expect(freed == nil)
    #expect(freedGame == nil)
    clock.advance(by: .seconds(2))
    #expect(leaks == [])
  }

  @Test func `the plugin builds the game`() {
    let builder = GameBuildableMock()
    var infos: [GameInfo] = []
    let game = Game(.ticTacToe) { _, info in
      infos.append(info)
      return builder
    }
    let router = build(game)
    router.attachGame(
      with: GameSetup(
        series: Series(PerMark(x: .bot, o: .bot)), seat: .none, board: Board(.ticTacToe)))
    #expect(infos == [.ticTacToe])
    #expect(router.children.first is GameRoutingMock)
  }

  private func build(_ game: Game) -> any LoggedInRouting {
    LoggedInBuilder(dependency: LoggedInDependencyMock()).build(
      withListener: listener,
      setup: MatchSetup(
        id: "m", game: game, players: PerMark(x: ann.session, o: bob.session)))
  }
}

private final class LoggedInDependencyMock: LoggedInDependency {
  let matches = MatchRegistry(maxMatches: nil)
  let random = RandomSource(SeededGenerator(seed: 1))
  let botThinker: any BotThinker = ManualBotThinker()
  let timers: any Timers = ManualTimers()
  let settings = ServerSettings()
  let serverLog = ServerLog(.silent)
}
