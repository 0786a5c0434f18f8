import RIBs
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

  @Test func `a match is built with the interactor as its listener, and attached`() {
    attach("a")
    #expect(builder.setups == ["a"])
    #expect(builder.listener === interactor)
    #expect(router.children.count == 1)
    #expect(router.children.first === builder.built.first)
  }

  @Test func `a match is detached by its id, once`() {
    for match in ["a", "b", "c"] { attach(match) }
    router.detachMatch("b")
    router.detachMatch("b")
    router.detachMatch("z")
    let expected: [any Routing] = [builder.built[0], builder.built[2]]
    #expect(router.children.map(ObjectIdentifier.init) == expected.map(ObjectIdentifier.init))
  }

  @Test func `the id of a match is compared character by character`() {
    attach("K")
    // The Kelvin sign, which Unicode considers equal to the letter.
    router.detachMatch("\u{212A}")
    #expect(router.children.count == 1)
  }

  private func attach(_ match: String) {
    router.attachMatch(
      with: MatchSetup(id: match, game: .ticTacToe, players: PerMark(x: nil, o: nil)))
  }
}
