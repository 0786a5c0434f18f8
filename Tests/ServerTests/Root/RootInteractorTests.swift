import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct RootInteractorTests {
  private let fixture = LobbyFixture()
  private let router = RootRoutingMock()
  private let interactor: RootInteractor

  init() {
    interactor = RootInteractor(
      lobby: fixture.lobby, connections: fixture.connections,
      random: RandomSource(SeededGenerator(seed: 1)), timers: fixture.clock,
      settings: ServerSettings(maxMatches: 1), serverLog: fixture.serverLog)
    interactor.router = router
    interactor.activate()
  }

  @Test func `two who found one another get a match under a name of four letters`() throws {
    let (ann, bob) = (try Somebody("ann", in: fixture), try Somebody("bob", in: fixture))
    ann.connection.receive("start\n")
    bob.connection.receive("start\n")
    let setup = try #require(router.attached.first)
    #expect(router.attached.count == 1)
    #expect(setup.id.count == 4)
    #expect(setup.players.x === ann.session)
    #expect(setup.players.o === bob.session)
    #expect(setup.game.info == .ticTacToe)
  }

  @Test func `while a name is taken, a longer one is tried`() throws {
    router.takenIDs = 3
    let ann = try Somebody("ann", in: fixture)
    ann.connection.receive("start bot\n")
    #expect(router.asked.map(\.count) == [4, 5, 6, 7])
    #expect(router.attached.map(\.id) == Array(router.asked.suffix(1)))
  }

  @Test func `a match that has ended is detached`() {
    interactor.matchDidEnd("7q2k", without: [])
    #expect(router.detached == ["7q2k"])
  }

  @Test func `the lobby lists the router's matches`() {
    let listed = MatchSummary(
      match: "m", game: "tictactoe", players: PerMark(x: "ann", o: "bob"), isRunning: true)
    router.matchSummaries = [listed]
    #expect(fixture.lobby.listener?.matches(atMost: 9) == Page([listed]))
  }

  @Test func `a new connection is greeted, and a shutdown says goodbye to it`() throws {
    let connection = ConnectionMock()
    interactor.accept(connection)
    interactor.shutDown()
    #expect(router.shutDownMatchesCallCount == 1)
    #expect(connection.closeCallCount == 1)
    #expect(kinds(try connection.takeLines().map { try JSON($0) }) == ["hello", "bye shutdown"])
  }
}
