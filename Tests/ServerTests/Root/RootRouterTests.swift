import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct RootRouterTests {
  private let interactor = RootInteractableMock()
  private let builder = LoggedInBuildableMock()
  private let router: RootRouter

  init() {
    router = RootRouter(interactor: interactor, loggedInBuilder: builder)
  }

  @Test func `launching wakes the tree`() {
    router.launch()
    #expect(interactor.isActive)
  }

  @Test func `what the program asks goes to the interactor`() {
    router.accept(ConnectionMock())
    router.shutDown()
    #expect(interactor.accepted.count == 1)
    #expect(interactor.shutDownCallCount == 1)
  }

  @Test func `a match is built with the interactor as its listener, and attached`() {
    attach("a")
    #expect(builder.setups == ["a"])
    #expect(builder.listener === interactor)
    #expect(router.children.count == 1)
    #expect(router.hasMatch("a"))
    #expect(!router.hasMatch("b"))
  }

  @Test func `a match is detached by its name, once`() {
    for match in ["a", "b", "c"] { attach(match) }
    router.detachMatch("b")
    router.detachMatch("b")
    router.detachMatch("z")
    #expect(!router.hasMatch("b"))
    #expect(router.matchSummaries(atMost: 9).items.map(\.match) == ["a", "c"])
  }

  @Test func `a match's name is compared character by character`() {
    attach("K")
    #expect(router.match("K") != nil)
    // The Kelvin sign, which Unicode holds for the letter.
    #expect(router.match("\u{212A}") == nil)
    #expect(!router.hasMatch("\u{212A}"))
  }

  @Test func `matches are listed in the order in which they began`() {
    let matches = (0..<50).map { "m\($0)" }
    for match in matches { attach(match) }
    let list = router.matchSummaries(atMost: 40)
    #expect(list.items.map(\.match) == Array(matches.prefix(40)))
    #expect(list.more == 10)
  }

  @Test func `a shutdown reaches every match`() {
    for match in ["a", "b"] { attach(match) }
    router.shutDownMatches()
    #expect(builder.built.map(\.shutDownCallCount) == [1, 1])
  }

  private func attach(_ match: String) {
    router.attachMatch(
      with: MatchSetup(id: match, game: .ticTacToe, players: PerMark(x: nil, o: nil)))
  }
}
