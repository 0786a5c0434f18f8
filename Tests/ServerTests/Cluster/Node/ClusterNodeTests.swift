import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ClusterNodeTests {
  private let engine = ManualRedis()
  private let clock = ManualTimers()
  private let node: ClusterNode
  private let events = Events()

  private final class Events {
    var all: [NodeState.Action] = []
  }

  init() {
    let clock = clock
    node = ClusterNode(
      "north", address: "192.0.2.1:7777", engine: engine, timers: clock, load: { 7 },
      now: { clock.now })
    let events = events
    node.perform = { events.all.append($0) }
  }

  /// A look after which south's life has ended.
  private let look = NodeState.Action.look(ended: [Life(node: "south", incarnation: 2)])

  private func bulk(_ text: String) -> RedisReply { .bulk(Array(text.utf8)) }

  /// What a renewal is answered with.
  private func nodes(_ entries: [String: String], lives: [String]) -> RedisReply {
    .array([
      .array(entries.flatMap { [bulk($0.key), bulk($0.value)] }), .array(lives.map(bulk)),
    ])
  }

  private func renewed(counter: Int) -> RedisReply {
    nodes(["north": "3 \(counter) 7 192.0.2.1:7777"], lives: ["north 3", "south 2"])
  }

  private func join() {
    node.start()
    engine.answer { _ in .integer(3) }
    engine.answer { _ in renewed(counter: 1) }
  }

  @Test func `a node joins, and shows each second that it is alive`() {
    join()
    #expect(events.all == [.join(Life(node: "north", incarnation: 3)), look])
    #expect(node.life == Life(node: "north", incarnation: 3))
    clock.advance(by: ClusterNode.period)
    #expect(
      engine.requests.first?.commands.first?.suffix(5) == [
        "north", "3", "2", "7", "192.0.2.1:7777",
      ])
  }

  @Test func `after 4 s without an answer it is silent, after 5 s it gives everything up`() {
    join()
    clock.advance(by: .seconds(1))
    clock.advance(by: NodeState.silenceTime - .seconds(1) - .milliseconds(1))
    node.check()
    #expect(node.state.isAlive)
    clock.advance(by: .milliseconds(1))
    node.check()
    #expect(!node.state.isAlive)
    #expect(events.all.last == .hold)
    #expect(node.life != nil)
    clock.advance(by: .seconds(1))
    node.check()
    #expect(events.all.last == .standDown)
    #expect(node.life == nil)
  }

  @Test func `a renewal ends the silence, after a look at the matches`() {
    join()
    clock.advance(by: .milliseconds(4_100))
    node.check()
    #expect(events.all.last == .hold)
    // This one was sent 3.1 s ago.
    engine.answer { _ in renewed(counter: 2) }
    #expect(events.all.contains(.release))
    #expect(node.state.isAlive)
  }

  @Test func `an answer that was long under way says nothing`() {
    join()
    clock.advance(by: .seconds(1))
    // The process is stopped, so nobody has checked.
    clock.advance(by: .seconds(4))
    let count = events.all.count
    engine.answer { _ in renewed(counter: 2) }
    #expect(!events.all.dropFirst(count).contains(look))
  }

  @Test func `a node that was buried gives everything up, and joins again`() {
    join()
    clock.advance(by: ClusterNode.period)
    engine.answer { _ in .integer(0) }
    #expect(events.all.last == .standDown)
    // Over a new connection.
    #expect(engine.reconnections == 1)
    #expect(engine.requests.isEmpty)
    node.didConnect()
    engine.answer { _ in .integer(9) }
    #expect(events.all.last == .join(Life(node: "north", incarnation: 9)))
  }

  @Test func `another process with the same name ends this one`() {
    join()
    clock.advance(by: ClusterNode.period)
    engine.answer { _ in .integer(-1) }
    #expect(events.all.last == .standDownForGood)
  }

  @Test func `each new connection is followed by a look at the matches`() {
    join()
    clock.advance(by: ClusterNode.period)
    engine.answer(nil)
    node.didConnect()
    engine.answer { _ in renewed(counter: 3) }
    #expect(events.all.suffix(2) == [.release, look])
  }

  @Test func `a node whose counter stands still is buried`() {
    join()
    let other = "2 40 0 192.0.2.2:7777"
    for counter in 2...8 {
      clock.advance(by: ClusterNode.period)
      engine.answer { _ in
        nodes(
          ["north": "3 \(counter) 7 192.0.2.1:7777", "south": other],
          lives: ["north 3", "south 2"])
      }
      while let request = engine.requests.first {
        #expect(request.commands[0][3...] == ["south", "2", "40"])
        #expect(counter >= 7)
        engine.answer { _ in .integer(1) }
      }
    }
  }

  @Test func `a node that leaves renews no more`() {
    join()
    var isDone = false
    node.leave { isDone = true }
    #expect(engine.requests.first?.commands[0].suffix(2) == ["north", "3"])
    engine.answer { _ in .integer(1) }
    #expect(isDone)
    #expect(node.life == nil)
    clock.advance(by: .seconds(10))
    #expect(engine.requests.isEmpty)
  }

  // MARK: Another process with the same name, at another address

  /// What the next attempt to join is answered with. Returns the moment that it takes for dead.
  private func meet(_ entry: String) -> String? {
    let dead = engine.requests.first?.commands[0].last
    engine.answer { _ in bulk(entry) }
    return dead
  }

  @Test func `a process does not join while another one with its name is alive elsewhere`() {
    node.start()
    #expect(meet("2 40 0 192.0.2.9:7777") == "")
    #expect(events.all.isEmpty)
    clock.advance(by: ClusterNode.period)
    #expect(meet("2 41 0 192.0.2.9:7777") == "")
    #expect(events.all == [.reportNameInUse(address: "192.0.2.9:7777")])
    #expect(node.life == nil)
    clock.advance(by: .seconds(30))
    #expect(engine.requests.isEmpty)
  }

  @Test func `a process joins when the other one with its name has been dead for five seconds`() {
    node.start()
    for second in 0...5 {
      let dead = meet("2 40 0 192.0.2.9:7777")
      #expect(dead == (second < 5 ? "" : "2 40"))
      clock.advance(by: ClusterNode.period)
    }
    engine.answer { _ in .integer(3) }
    #expect(events.all == [.join(Life(node: "north", incarnation: 3))])
  }

  @Test func `another life of the other process is no standstill`() {
    node.start()
    _ = meet("2 40 0 192.0.2.9:7777")
    clock.advance(by: ClusterNode.period)
    _ = meet("5 40 0 192.0.2.9:7777")
    #expect(events.all == [.reportNameInUse(address: "192.0.2.9:7777")])
  }

  @Test func `of two nodes with one address the younger one knows that it is`() {
    join()
    #expect(node.addressTwin == nil)
    for (counter, incarnation) in [(2, 2), (3, 9)] {
      clock.advance(by: ClusterNode.period)
      engine.answer { _ in
        nodes(
          [
            "north": "3 \(counter) 7 192.0.2.1:7777",
            "south": "\(incarnation) \(counter) 0 192.0.2.1:7777",
          ], lives: [])
      }
      #expect(node.addressTwin?.name == "south")
      #expect(node.addressTwin?.isYounger == (incarnation == 2))
    }
  }
}
