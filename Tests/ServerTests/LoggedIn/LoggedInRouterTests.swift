import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct LoggedInRouterTests {
  private let interactor = LoggedInInteractableMock()
  private let builder = GameBuildableMock()
  private let setup = GameSetup(
    series: Series(PerMark(x: .bot, o: .bot)), seat: .none, board: Board(.ticTacToe))

  @Test func `a game is built with the interactor as its listener, and attached`() throws {
    let router = LoggedInRouter(interactor: interactor, gameBuilder: builder)
    router.attachGame(with: setup)
    #expect(builder.setups == [setup])
    #expect(builder.listener === interactor)
    let game = try #require(interactor.games.first as? GameRoutingMock)
    #expect(router.children.map(ObjectIdentifier.init) == [ObjectIdentifier(game)])
    #expect(game.loadCallCount == 1)
    #expect(game.interactable.isActive)
  }

  @Test func `cleanupViews detaches the game once`() throws {
    let router = LoggedInRouter(interactor: interactor, gameBuilder: builder)
    router.attachGame(with: setup)
    let game = try #require(interactor.games.first)
    router.cleanupViews()
    #expect(router.children.isEmpty)
    #expect(!game.interactable.isActive)
    router.cleanupViews()
    #expect(router.children.isEmpty)
  }

  @Test func `games are attached one after another`() {
    let router = LoggedInRouter(interactor: interactor, gameBuilder: builder)
    for _ in 0..<3 {
      router.attachGame(with: setup)
      router.cleanupViews()
    }
    router.attachGame(with: setup)
    #expect(builder.setups.count == 4)
    #expect(router.children.count == 1)
  }
}
