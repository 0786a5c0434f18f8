import RIBs
import TestSupport
import Testing

@testable import Shared

@Suite struct GameRegistryTests {
  fileprivate static func game(_ id: String) -> Game {
    Game(
      GameInfo(id: id, name: id, shape: .ticTacToe), makeBuilder: TicTacToeBuilder.init)
  }

  @Test func `games keep the order of registration and are found by id`() {
    let registry = GameRegistry([Self.game("b"), Self.game("a")])
    #expect(registry.games.map(\.info.id) == ["b", "a"])
    #expect(registry["a"]?.info.id == "a")
    #expect(registry["c"] == nil)
  }

  @Test func `an id is compared character by character`() {
    let registry = GameRegistry([Self.game("K")])
    #expect(registry["K"]?.info.id == "K")
    // The Kelvin sign, which Unicode holds for the letter.
    #expect(registry["\u{212A}"] == nil)
  }

  @Test func `a builder is made from the component of the RIB that attaches it`() {
    let dependency = TicTacToeDependencyMock()
    let builder = Self.game("a").builder(dependency: dependency) as? TicTacToeBuilder
    #expect(builder?.dependency === dependency)
  }

  @Test func `two games with the same id are a programmer error`() async {
    await #expect(processExitsWith: .failure) {
      _ = GameRegistry([GameRegistryTests.game("a"), GameRegistryTests.game("a")])
    }
  }
}
