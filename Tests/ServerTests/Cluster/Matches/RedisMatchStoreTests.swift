import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct RedisMatchStoreTests {
  private let engine = ManualRedis()
  private let loop: EventLoop
  private let clock = ManualTimers()
  private let store: RedisMatchStore
  private let events = Events()
  private var gate: OutputGate { loop.outputGate }

  private final class Events {
    var stored: [String] = []
    var fenced: [String] = []
    var finished: [String] = []
    var troubles = 0
  }

  init() throws {
    loop = try EventLoop()
    store = RedisMatchStore(engine: engine, gate: loop.outputGate, timers: clock)
    let events = events
    store.onStore = { records, _ in events.stored.append(String(decoding: records, as: UTF8.self)) }
    store.onFence = { events.fenced.append($0) }
    store.onFinish = { match, _ in events.finished.append(match) }
    store.onTrouble = { events.troubles += 1 }
    store.begin(Life(node: "north", incarnation: 3))
  }

  private func begin(_ match: String) {
    store.begin(
      match, game: "tictactoe",
      players: PerMark(
        x: StoredPlayer(id: "sx", name: "ann", token: "1"),
        o: StoredPlayer(id: "so", name: "bob", token: "2")))
  }

  private func append(_ text: String, to match: String) {
    store.append(Array("\(text)\n".utf8).span, to: match, seq: 1)
  }

  /// The answer to a look at the top of a stream.
  private func top(_ id: String) -> RedisReply {
    .array([.array([.bulk(Array(id.utf8)), .array([])])])
  }

  /// Begins a match, and stores it with entries after its first one.
  private func beginStored(_ match: String, entries: String...) throws {
    begin(match)
    try turn()
    engine.confirm()
    for text in entries {
      append(text, to: match)
      try turn()
      engine.confirm()
    }
  }

  /// Ends a turn of the loop.
  private func turn() throws { try loop.turn(wait: .zero) }

  /// The ids of the entries that the oldest request appends.
  private var entries: [String] {
    (engine.requests.first?.commands ?? []).compactMap { words in
      switch words[0] {
      case "XADD": "\(words[1]) \(words[3])"
      case "EVAL" where words[1] == RedisScript.beginMatch.text: "j:\(words[3]) \(words[5])"
      default: nil
      }
    }
  }

  @Test func `output waits until a match's first entry and its places are stored`() throws {
    begin("d-b")
    append("one", to: "d-b")
    #expect(gate.isHeld)
    try turn()
    let request = try #require(engine.requests.first)
    #expect(request.confirmed == .now)
    let begin = try #require(request.commands.first)
    #expect(request.commands.count == 1)
    try #require(begin.count == 10)
    #expect(begin[1] == RedisScript.beginMatch.text)
    #expect(begin[3...5] == ["d-b", "north 3", "1-1"])
    #expect(begin[6].hasPrefix("b {") && begin[6].hasSuffix("e one\n"))
    #expect(begin[7...] == ["", "sx", "so"])
    #expect(gate.isHeld)
    engine.confirm()
    #expect(!gate.isHeld)
    #expect(events.stored.first?.hasSuffix("e one\n") == true)
  }

  @Test func `one entry of a match is on its way, and the rest goes with the next`() throws {
    begin("d-b")
    try turn()
    append("one", to: "d-b")
    append("two", to: "d-b")
    try turn()
    append("three", to: "d-b")
    try turn()
    #expect(engine.requests.count == 1)
    #expect(entries == ["j:d-b 1-1"])
    engine.confirm()
    #expect(gate.isHeld)
    #expect(entries == ["j:d-b 1-2"])
    engine.confirm()
    #expect(engine.requests.isEmpty)
    #expect(!gate.isHeld)
    #expect(events.stored.last == "e one\ne two\ne three\n")
  }

  @Test func `a player's next match is not there before the end of the one before`() throws {
    try beginStored("d-z")
    append("one", to: "d-z")
    try turn()
    append("end", to: "d-z")
    store.end("d-z", game: "tictactoe")
    begin("d-10")
    try turn()
    engine.answer(nil)
    store.compare()
    engine.answer { $0[1] == "j:d-z" ? top("1-1") : .array([]) }
    #expect(entries == ["j:d-z 1-2"])
    engine.confirm()
    #expect(gate.isHeld)
    #expect(entries == ["j:d-z 1-3", "j:d-10 1-1"])
    engine.confirm()
    try turn()
    #expect(engine.requests.isEmpty)
    #expect(!gate.isHeld)
  }

  @Test func `what was refused is neither stored nor lost`() throws {
    begin("d-b")
    begin("d-c")
    try turn()
    engine.confirm()
    append("b", to: "d-b")
    append("c", to: "d-c")
    try turn()
    engine.answer { words in
      words[1] == "j:d-b" ? .error("ERR The ID is equal or smaller") : .bulk(Array(words[3].utf8))
    }
    #expect(events.troubles == 1)
    #expect(gate.isHeld)
    append("c2", to: "d-c")
    try turn()
    #expect(engine.requests.isEmpty)
    store.compare()
    // The entry is there after all: the first answer was lost.
    engine.answer { words in
      top("1-2")
    }
    #expect(entries == ["j:d-c 1-3"])
    engine.confirm()
    #expect(!gate.isHeld)
    #expect(events.fenced.isEmpty)
  }

  @Test func `after a failover what is missing is sent again, in order`() throws {
    try beginStored("d-b", entries: "one", "two")
    store.hold()
    store.compare()
    engine.answer { _ in top("1-1") }
    #expect(entries == ["j:d-b 1-2"])
    engine.confirm()
    #expect(gate.isHeld)
    #expect(entries == ["j:d-b 1-3"])
    engine.confirm()
    try turn()
    #expect(!gate.isHeld)
    // Nobody is told twice.
    #expect(events.stored.count == 3)
  }

  @Test func `an entry that only the primary has is told to nobody`() throws {
    begin("d-b")
    append("one", to: "d-b")
    try turn()
    // Too few replicas have it.
    engine.answer(nil)
    store.compare()
    let request = try #require(engine.requests.first)
    #expect(request.commands.map { $0[0] } == ["XREVRANGE", "HMGET"])
    #expect(request.confirmed == .now)
    engine.answer(nil)
    #expect(gate.isHeld)
    store.compare()
    engine.answer { _ in top("1-1") }
    try turn()
    #expect(!gate.isHeld)
  }

  @Test func `a stream that is gone is written again as a whole`() throws {
    begin("d-b")
    try turn()
    engine.confirm()
    append("one", to: "d-b")
    try turn()
    // `XADD NOMKSTREAM` answers so if there is no stream: it is no success.
    engine.answer { _ in .null }
    #expect(gate.isHeld)
    store.compare()
    engine.answer { _ in .array([]) }
    #expect(entries == ["j:d-b 1-1"])
    engine.confirm()
    #expect(entries == ["j:d-b 1-2"])
  }

  @Test func `a stream that is gone is left to the owner that the engine knows`() throws {
    try beginStored("d-b")
    store.hold()
    store.compare()
    engine.answer { $0[0] == "HMGET" ? .array([.bulk(Array("south 4".utf8))]) : .array([]) }
    #expect(events.fenced == ["d-b"] && engine.requests.isEmpty)
    try beginStored("d-c")
    store.giveUp()
    var isDone = false
    store.former.repair { isDone = true }
    engine.answer { $0[0] == "HMGET" ? .array([.bulk(Array("south 4".utf8))]) : .array([]) }
    #expect(isDone && engine.requests.isEmpty)
  }

  @Test func `a larger term means that another node has the match`() throws {
    begin("d-b")
    try turn()
    engine.confirm()
    append("one", to: "d-b")
    try turn()
    engine.answer { _ in .error("ERR The ID is equal or smaller") }
    store.compare()
    engine.answer { _ in top("2-0") }
    #expect(events.fenced == ["d-b"])
    try turn()
    #expect(!gate.isHeld)
    append("two", to: "d-b")
    #expect(!gate.isHeld)
  }

  @Test func `nothing leaves while the store is held, not even without a match`() throws {
    store.hold()
    try turn()
    #expect(gate.isHeld)
    store.compare()
    #expect(!gate.isHeld)
  }

  @Test func `an answer to an earlier life is nobody's`() throws {
    begin("d-b")
    try turn()
    store.giveUp()
    #expect(!gate.isHeld)
    store.begin(Life(node: "north", incarnation: 4))
    begin("e-b")
    try turn()
    engine.answer(nil)
    #expect(events.troubles == 0)
    engine.confirm()
    #expect(!gate.isHeld)
    #expect(events.stored.count == 1)
  }

  @Test func `what the engine has lost is added before the next life begins`() throws {
    try beginStored("d-b", entries: "one", "two")
    store.giveUp()
    var isDone = false
    store.former.repair { isDone = true }
    // The connection ends, and the node tries again.
    engine.answer(nil)
    #expect(!isDone && engine.requests.isEmpty)
    store.former.repair { isDone = true }
    engine.answer { _ in top("1-1") }
    #expect(entries == ["j:d-b 1-2"])
    engine.confirm()
    engine.answer { _ in top("1-2") }
    #expect(entries == ["j:d-b 1-3"])
    engine.confirm()
    #expect(!isDone)
    engine.answer { _ in top("1-3") }
    #expect(isDone && engine.requests.isEmpty)
  }

  @Test func `a match that another node has taken over is not touched`() throws {
    begin("d-b")
    begin("d-c")
    try turn()
    engine.confirm()
    store.giveUp()
    var isDone = false
    store.former.repair { isDone = true }
    engine.answer { $0[1] == "j:d-b" ? top("2-0") : .array([]) }
    #expect(entries == ["j:d-c 1-1"])
    engine.answer { _ in .error("ERR The ID is equal or smaller") }
    #expect(isDone && engine.requests.isEmpty)
  }

  @Test func `the end of a match is told once it is stored`() throws {
    begin("d-b")
    append("end", to: "d-b")
    store.end("d-b", game: "tictactoe")
    try turn()
    #expect(events.finished.isEmpty)
    #expect(engine.requests[0].commands.last?[7] == "1")
    engine.confirm()
    #expect(events.finished == ["d-b"])
    #expect(store.contains("d-b"))
    clock.advance(by: RedisMatchStore.finishedTime)
    #expect(!store.contains("d-b"))
  }

  @Test func `a session's match is ending until its end is stored`() throws {
    try beginStored("d-b")
    append("end", to: "d-b")
    #expect(!store.isEnding(matchOf: "sx"))
    store.end("d-b", game: "tictactoe")
    try turn()
    engine.answer(nil)
    store.compare()
    #expect(store.isEnding(matchOf: "sx") && !store.isEnding(matchOf: "sy"))
    engine.answer { _ in top("1-1") }
    engine.confirm()
    #expect(!store.isEnding(matchOf: "sx"))
    begin("d-c")
    store.end("d-c", game: "tictactoe")
    store.giveUp()
    #expect(!store.isEnding(matchOf: "sx"))
  }

  @Test func `ids of two lives differ`() {
    let first = store.newMatchID()
    #expect(store.newMatchID() != first)
    store.begin(Life(node: "south", incarnation: 4))
    #expect(store.newMatchID() != first)
  }

  @Test func `the clock of matches stands still from a hold until the streams were compared`()
    throws
  {
    try beginStored("m")
    var isOver = false
    store.matchTimers.schedule(after: .seconds(3)) { isOver = true }
    clock.advance(by: .seconds(2))
    store.hold()
    clock.advance(by: .seconds(20))
    store.compare()
    clock.advance(by: .seconds(20))
    #expect(store.matchTimers.now == .seconds(2))
    engine.answer { _ in top("1-1") }
    clock.advance(by: .milliseconds(999))
    #expect(!isOver)
    clock.advance(by: .milliseconds(1))
    #expect(isOver)
  }

  @Test func `the clock of matches goes on when they are given up`() {
    store.hold()
    clock.advance(by: .seconds(5))
    store.giveUp()
    clock.advance(by: .seconds(1))
    #expect(store.matchTimers.now == .seconds(1))
  }
}
