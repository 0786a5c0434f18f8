import Testing

@testable import Server

@Suite struct NodeEntryTests {
  @Test func `an entry is four words`() {
    let entry = NodeEntry(incarnation: 7, counter: 12, load: 300, address: "[::1]:7777")
    #expect(entry.text == "7 12 300 [::1]:7777")
    #expect(NodeEntry(entry.text) == entry)
  }

  @Test(arguments: ["", "7 12 300", "7 12 300 ", "7 12 300 a:1 x", "x 12 300 a:1", "7  300 a:1"])
  func `anything else is no entry`(text: String) {
    #expect(NodeEntry(text) == nil)
  }

  @Test func `the names of nodes`() {
    for name in ["a", "north-1", "A.b_9", String(repeating: "x", count: 32)] {
      #expect(Life.isNodeName(name), "\(name)")
    }
    for name in ["", "a b", "é", "a:1", "a/b", String(repeating: "x", count: 33)] {
      #expect(!Life.isNodeName(name), "\(name)")
    }
  }
}

@Suite struct NodeWatchTests {
  private func entry(_ counter: Int, incarnation: Int = 1) -> NodeEntry {
    NodeEntry(incarnation: incarnation, counter: counter, load: 0, address: "a:1")
  }

  /// Looks once a second, from `seconds.lowerBound`. `north` renews its entry each time.
  private func observe(
    _ watch: inout NodeWatch, _ seconds: ClosedRange<Int>, south: NodeEntry
  ) {
    for second in seconds {
      watch.observe(["north": entry(second), "south": south], at: .seconds(second))
    }
  }

  @Test func `a node whose counter stands still for five seconds is dead`() {
    var watch = NodeWatch()
    observe(&watch, 0...4, south: entry(9))
    #expect(watch.alive == ["north", "south"])
    #expect(watch.isAlive(Life(node: "south", incarnation: 1)))
    observe(&watch, 5...5, south: entry(9))
    #expect(watch.alive == ["north"])
    #expect(watch.dead == ["south": entry(9)])
    #expect(!watch.isAlive(Life(node: "south", incarnation: 1)))
    #expect(watch["south"] == entry(9))
  }

  @Test func `a renewal, or a new life, begins the time again`() {
    var watch = NodeWatch()
    observe(&watch, 0...4, south: entry(9))
    observe(&watch, 5...9, south: entry(10))
    #expect(watch.alive == ["north", "south"])
    observe(&watch, 10...10, south: entry(10, incarnation: 2))
    observe(&watch, 11...14, south: entry(10, incarnation: 2))
    #expect(watch.isAlive(Life(node: "south", incarnation: 2)))
    #expect(!watch.isAlive(Life(node: "south", incarnation: 1)))
    observe(&watch, 15...15, south: entry(10, incarnation: 2))
    #expect(!watch.isAlive(Life(node: "south", incarnation: 2)))
  }

  @Test func `time in which nobody looked shows nothing`() {
    var watch = NodeWatch()
    observe(&watch, 0...3, south: entry(9))
    // This process was stopped, or the engine did not answer.
    observe(&watch, 60...64, south: entry(9))
    #expect(watch.alive == ["north", "south"])
    observe(&watch, 65...65, south: entry(9))
    #expect(watch.alive == ["north"])
  }

  @Test func `a node that has left is not alive, and not dead`() {
    var watch = NodeWatch()
    observe(&watch, 0...1, south: entry(9))
    watch.observe(["north": entry(2)], at: .seconds(2))
    #expect(watch.alive == ["north"])
    #expect(watch.dead.isEmpty)
    #expect(!watch.isAlive(Life(node: "south", incarnation: 1)))
  }

  @Test func `all nodes name the same heir, and the matches are shared`() {
    var watch = NodeWatch()
    #expect(watch.heir(of: "abcd") == nil)
    let names = ["east", "north", "west"]
    watch.observe(Dictionary(uniqueKeysWithValues: names.map { ($0, entry(1)) }), at: .zero)
    let heirs = (0..<300).compactMap { watch.heir(of: "match \($0)") }
    for name in names {
      let count = heirs.count { $0 == name }
      #expect((60...140).contains(count), "\(name) gets \(count) of 300.")
    }
    // Without one of them, only its matches go elsewhere.
    watch.observe(["east": entry(2), "north": entry(2)], at: .seconds(1))
    for (index, heir) in heirs.enumerated() where heir != "west" {
      #expect(watch.heir(of: "match \(index)") == heir)
    }
  }

  @Test func `nobody is sent to a node that has been still for three seconds`() {
    var watch = NodeWatch()
    let south = Life(node: "south", incarnation: 1)
    // It has just begun.
    #expect(watch.isResponsive(south))
    observe(&watch, 0...2, south: entry(9))
    #expect(watch.isResponsive(south))
    observe(&watch, 3...3, south: entry(9))
    #expect(!watch.isResponsive(south))
    #expect(watch.isAlive(Life(node: "south", incarnation: 1)))
    #expect(watch.isResponsive(Life(node: "south", incarnation: 2)))
    observe(&watch, 4...4, south: entry(10))
    #expect(watch.isResponsive(south))
  }

  @Test func `a life is new for two seconds`() {
    var watch = NodeWatch()
    let (first, second) = (Life(node: "south", incarnation: 1), Life(node: "south", incarnation: 2))
    #expect(watch.renewals(ofNew: second) == nil)
    // Whoever was there before this node looked is not new.
    observe(&watch, 0...0, south: entry(9))
    #expect(watch.renewals(ofNew: first) == nil)
    #expect(watch.renewals(ofNew: second) == 0)
    #expect(watch.renewals(ofNew: Life(node: "west", incarnation: 3)) == 0)
    observe(&watch, 1...1, south: entry(1, incarnation: 2))
    #expect(watch.renewals(ofNew: second) == 1)
    observe(&watch, 2...2, south: entry(2, incarnation: 2))
    #expect(watch.renewals(ofNew: second) == 2)
    #expect(watch.renewals(ofNew: first) == nil)
    observe(&watch, 3...3, south: entry(3, incarnation: 2))
    #expect(watch.renewals(ofNew: second) == nil)
  }
}
