import RIBs
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
      random: RandomSource(FixedGenerator()), timers: fixture.clock,
      settings: ServerSettings(), serverLog: fixture.serverLog, store: nil)
    interactor.router = router
    interactor.launch()
  }

  @Test func `launching activates the root and loads the tree`() {
    #expect(interactor.isActive)
    #expect(router.loadCallCount == 1)
  }

  @Test func `a pair gets a match with an id of four letters`() throws {
    let (ann, bob) = (
      try SessionFixture("ann", in: fixture), try SessionFixture("bob", in: fixture)
    )
    ann.connection.receive("start\n")
    bob.connection.receive("start\n")
    let setup = try #require(router.attached.first)
    #expect(router.attached.count == 1)
    #expect(setup.id.count == 4)
    #expect(setup.players.x === ann.session)
    #expect(setup.players.o === bob.session)
    #expect(setup.game.info == .ticTacToe)
  }

  @Test func `if an id is taken, a longer one is tried`() throws {
    for id in ["aaaa", "aaaaa", "aaaaaa"] { fixture.matches.add(MatchMock(id)) }
    let ann = try SessionFixture("ann", in: fixture)
    ann.connection.receive("start bot\n")
    #expect(router.attached.map(\.id) == ["aaaaaaa"])
  }

  @Test func `a match that has ended is detached`() {
    interactor.matchDidEnd("7q2k", lost: [])
    #expect(router.detached == ["7q2k"])
  }

  @Test func `a shutdown reaches every match`() {
    let matches = ["a", "b"].map { MatchMock($0) }
    for match in matches { fixture.matches.add(match) }
    interactor.shutDown()
    #expect(matches.map(\.shutDownCallCount) == [1, 1])
  }

  @Test func `a new connection gets hello, and bye at a shutdown`() throws {
    let connection = ConnectionMock()
    interactor.accept(connection)
    interactor.shutDown()
    #expect(connection.closeCallCount == 1)
    #expect(kinds(try connection.takeLines().map { try JSON($0) }) == ["hello", "bye shutdown"])
  }
}

/// Always chooses the first element.
private struct FixedGenerator: RandomNumberGenerator {
  func next() -> UInt64 { 1 << 32 }
}
