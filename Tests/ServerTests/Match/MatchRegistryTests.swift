import Shared
import Testing

@testable import Server

@Suite struct MatchRegistryTests {
  private let registry = MatchRegistry(maxMatches: nil)

  @Test func `a match is found by its id until it is removed`() {
    let matches = ["a", "b", "c"].map { MatchMock($0) }
    for match in matches { registry.add(match) }
    #expect(registry["b"] === matches[1])
    registry.remove(matches[1])
    registry.remove(matches[1])
    #expect(registry["b"] == nil)
    #expect(registry["z"] == nil)
    #expect(registry.count == 2)
    #expect(registry.summaries(limit: 9).items.map(\.match) == ["a", "c"])
  }

  @Test func `the id of a match is compared character by character`() {
    registry.add(MatchMock("K"))
    #expect(registry["K"] != nil)
    // The Kelvin sign, which Unicode considers equal to the letter.
    #expect(registry["\u{212A}"] == nil)
  }

  @Test func `matches are listed in the order in which they began`() {
    let matches = (0..<50).map { "m\($0)" }
    for match in matches { registry.add(MatchMock(match)) }
    let list = registry.summaries(limit: 40)
    #expect(list.items.map(\.match) == Array(matches.prefix(40)))
    #expect(list.more == 10)
  }

  @Test func `the order holds after most matches have ended`() {
    let matches = (0..<50).map { MatchMock("m\($0)") }
    for match in matches { registry.add(match) }
    for match in matches.dropLast(5) { registry.remove(match) }
    registry.remove(matches[47])
    let left = registry.summaries(limit: 40).items.map(\.match)
    #expect(left == ["m45", "m46", "m48", "m49"])
  }

  @Test func `there is room for up to the maximum`() {
    let registry = MatchRegistry(maxMatches: 1)
    let match = MatchMock()
    #expect(registry.hasRoom)
    registry.add(match)
    #expect(!registry.hasRoom)
    registry.remove(match)
    #expect(registry.hasRoom)
  }
}
