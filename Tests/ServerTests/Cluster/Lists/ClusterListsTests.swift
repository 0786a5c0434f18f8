import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// The lists of two nodes.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct ClusterListsTests {
  private let fixture: RedisFixture
  private let links: [RedisLink]
  private let nodes: [ClusterNode]
  private let lists: [ClusterLists]

  init() throws {
    let fixture = try RedisFixture()
    self.fixture = fixture
    links = [try fixture.link(), try fixture.link()]
    nodes = zip(["north", "south"], links).map { name, link in
      ClusterNode(
        name, address: "\(name):1", engine: link, timers: fixture.loop, load: { 0 },
        now: BootClock.now)
    }
    lists = zip(nodes, links).map {
      ClusterLists(engine: $1, timers: fixture.loop, node: $0)
    }
    for node in nodes { node.start() }
    let (north, south) = (nodes[0], nodes[1])
    try fixture.wait { north.watch.alive.count == 2 && south.watch.alive.count == 2 }
  }

  private func players(_ names: String...) -> Event {
    .players(Page(names.map { PlayerSummary(name: $0, place: .lobby, game: nil) }))
  }

  private func names(_ event: Event) -> [String] {
    if case .players(let page) = event { page.items.map(\.name) } else { [] }
  }

  @Test func `each node reads what the other has written`() throws {
    let (ann, bob) = (players("ann"), players("bob"))
    lists[0].own = { what in what == .players ? ann : .matches(Page([])) }
    lists[0].publish()
    var list: [String] = []
    try fixture.wait {
      lists[1].readOthers { list = names($0.reduce(bob) { $0.joined(with: $1) }) }
      return list.count == 2
    }
    #expect(list == ["bob", "ann"])
  }

  @Test func `a player who has just moved is listed once, as here`() {
    let here = Event.players(
      Page([PlayerSummary(name: "ann", place: .playing, game: "four")], more: 1))
    let there = Event.players(
      Page([PlayerSummary(name: "ann", place: .lobby, game: nil)], more: 2))
    guard case .players(let page) = here.joined(with: there) else {
      Issue.record("no list of players")
      return
    }
    #expect(page.items.map(\.place) == [.playing])
    #expect(page.more == 3)
    #expect(here.joined(with: .matches(Page([]))) == here)
  }
}
