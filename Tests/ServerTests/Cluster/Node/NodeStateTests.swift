import Shared
import Testing

@testable import Server

@Suite struct NodeStateTests {
  private let life = Life(node: "north", incarnation: 3)

  private func bulk(_ text: String) -> RedisReply { .bulk(Array(text.utf8)) }

  /// What a renewal is answered with.
  private func nodes(_ entries: [String: String], lives: [String] = []) -> RedisReply {
    .array([
      .array(entries.flatMap { [bulk($0.key), bulk($0.value)] }), .array(lives.map(bulk)),
    ])
  }

  private func joined() -> NodeState {
    var state = NodeState(name: "north")
    #expect(state.didJoin(.integer(3), sent: .zero, at: .zero) == .join(life))
    return state
  }

  @Test func `a node that joins has nothing to compare`() {
    var state = joined()
    #expect(state.isReleased)
    let reply = nodes(["north": "3 1 7 a:1"], lives: ["north 3", "south 2"])
    #expect(
      state.didRenew(life, reply, sent: .zero, at: .zero)
        == [.look(ended: [Life(node: "south", incarnation: 2)])])
  }

  @Test func `a node without an answer does not join`() {
    var state = NodeState(name: "north")
    #expect(state.didJoin(nil, sent: .zero, at: .zero) == nil)
    #expect(state.isAway)
  }

  @Test func `silence counts from when the last answered renewal was sent`() {
    var state = joined()
    let reply = nodes(["north": "3 1 7 a:1"])
    _ = state.didRenew(life, reply, sent: .seconds(1), at: .seconds(2))
    #expect(state.roundTrip == .seconds(1))
    #expect(state.check(at: .seconds(1) + NodeState.silenceTime - .milliseconds(1)) == nil)
    #expect(state.check(at: .seconds(1) + NodeState.silenceTime) == .hold)
    #expect(state.check(at: .seconds(1) + NodeState.silenceTime) == nil)
    #expect(state.life == life && !state.isAlive)
    #expect(state.check(at: .seconds(1) + NodeState.standDownTime) == .standDown)
    #expect(state.life == nil && state.isAway)
  }

  @Test func `a node that was stopped gives up at once, without a hold`() {
    var state = joined()
    #expect(state.check(at: .seconds(60)) == .standDown)
  }

  @Test func `a renewal releases a new connection and a silent node once`() {
    var state = joined()
    let reply = nodes(["north": "3 1 7 a:1"])
    state.didConnect()
    #expect(state.isAlive && !state.isReleased)
    #expect(
      state.didRenew(life, reply, sent: .zero, at: .zero) == [.release, .look(ended: [])])
    #expect(state.check(at: NodeState.silenceTime) == .hold)
    let time = NodeState.silenceTime
    #expect(state.didRenew(life, reply, sent: time, at: time) == [.release, .look(ended: [])])
    #expect(state.didRenew(life, reply, sent: time, at: time) == [.look(ended: [])])
  }

  @Test func `an old answer changes nothing, but a refusal does`() {
    var state = joined()
    let time = NodeState.silenceTime
    let reply = nodes(["north": "3 1 7 a:1"], lives: ["south 2"])
    #expect(state.didRenew(life, reply, sent: .zero, at: time) == [])
    #expect(state.check(at: time) == .hold)
    #expect(state.didRenew(life, .integer(0), sent: .zero, at: time) == [.standDown])
  }

  @Test func `a node that was replaced does not join again`() {
    var state = joined()
    #expect(
      state.didRenew(life, .integer(-1), sent: .zero, at: .zero) == [.standDownForGood])
    #expect(state.life == nil && !state.isAway)
    #expect(state.didJoin(.integer(4), sent: .zero, at: .zero) == nil)
  }

  @Test func `dead nodes are buried in the order of their names, before the look`() {
    var state = joined()
    var actions: [NodeState.Action] = []
    for second in 0...5 {
      let (reply, time) = (
        nodes(["north": "3 \(second) 7 a:1", "west": "1 9 0 a:2", "east": "2 8 0 a:3"]),
        Duration.seconds(second)
      )
      actions = state.didRenew(life, reply, sent: time, at: time)
      #expect(second == 5 || actions == [.look(ended: [])])
    }
    #expect(
      actions == [
        .bury("east", NodeEntry(incarnation: 2, counter: 8, load: 0, address: "a:3")),
        .bury("west", NodeEntry(incarnation: 1, counter: 9, load: 0, address: "a:2")),
        .look(ended: []),
      ])
  }
}
