import Testing

@testable import Server

@Suite struct NodeLoadTests {
  /// Returns the plans as words, such as `a>b=10`.
  private func plans(_ loads: (String, Int, Bool)...) -> [String] {
    NodeLoad.plans(for: loads.map { NodeLoad(node: $0.0, players: $0.1, isDraining: $0.2) })
      .map { plan in
        "\(plan.from)>\(plan.to.map { "\($0.node)=\($0.players)" }.joined(separator: ","))"
      }
  }

  @Test func `each node sends what it has too much to those that have too little`() {
    #expect(plans(("a", 60, false), ("b", 0, false), ("c", 0, false)) == ["a>b=20,c=20"])
    #expect(
      plans(("a", 50, false), ("b", 40, false), ("c", 0, false)) == ["a>c=20", "b>c=10"])
  }

  @Test func `nodes with their shares stay as they are`() {
    #expect(plans(("a", 20, false), ("b", 21, false), ("c", 20, false)).isEmpty)
    #expect(plans(("a", 7, false)).isEmpty)
    #expect(plans().isEmpty)
  }

  @Test func `a node that drains sends all, and gets none`() {
    #expect(plans(("a", 9, true), ("b", 10, false), ("c", 11, false)) == ["a>b=5,c=4"])
    #expect(plans(("a", 0, true), ("b", 10, false), ("c", 10, false)).isEmpty)
    #expect(plans(("a", 9, true), ("b", 10, true)).isEmpty)
  }

  @Test func `a line for status is read, and no other`() {
    let line = #"{"type":"status","at":"b","version":"1","sessions":7,"draining":true}"#
    #expect(
      NodeLoad(Array(line.utf8)) == NodeLoad(node: "b", players: 7, isDraining: true))
    #expect(NodeLoad(Array(#"{"type":"missing","at":"b"}"#.utf8)) == nil)
  }
}
