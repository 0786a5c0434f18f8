import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ClusterSessionsTests {
  private let engine = ManualEngine()
  private let clock = ManualTimers()
  private let sessions: ClusterSessions

  init() throws {
    sessions = ClusterSessions(
      engine: engine, outbox: EngineOutbox(engine: engine, timers: clock),
      claims: MatchClaims(engine: engine, games: .server, random: RandomSource()), timers: clock,
      random: RandomSource(), life: { Life(node: "north", incarnation: 3) })
    let ann = Session(
      number: 1, id: "s1", name: try PlayerName("Ann"), token: Token(RandomSource()),
      connection: nil, chatRate: nil, begin: .zero)
    sessions.own = { [ann] }
  }

  /// The arguments of the scripts in the oldest request.
  private var sent: [[String]] { engine.requests.first?.commands.map { Array($0[3...]) } ?? [] }

  @Test func `sessions that the engine refuses are written again`() {
    sessions.keepAll()
    #expect(sent == [["ann", "s1", "north 3"]])
    engine.answer { _ in .error("OOM") }
    #expect(engine.requests.isEmpty)
    clock.advance(by: EngineOutbox.refusalDelay)
    #expect(sent == [["ann", "s1", "north 3"]])
    engine.confirm()
    clock.advance(by: .seconds(10))
    #expect(engine.requests.isEmpty)
  }

  @Test func `a new connection begins anew instead of a further attempt`() {
    sessions.keepAll()
    engine.answer { _ in .error("OOM") }
    sessions.keepAll()
    #expect(engine.requests.count == 1)
    engine.answer(nil)
    clock.advance(by: .seconds(10))
    #expect(engine.requests.isEmpty)
  }

  private func words(_ words: String...) -> EngineReply {
    .array(words.map { .bulk(Array($0.utf8)) })
  }

  @Test func `a player on the way to a node is waited for`() {
    var route: Route?
    sessions.find(player: "bob") { route = $0 }
    engine.answer { _ in words("x", "south", "south:1", "{}") }
    #expect(route == nil && engine.requests.isEmpty)
    clock.advance(by: ClusterSessions.arrivalInterval)
    engine.answer { _ in words("n", "south 2", "south:1") }
    guard case .elsewhere("south", "south:1") = route else {
      Issue.record("not found at the other node")
      return
    }
  }

  @Test func `a player who does not arrive is not waited for without end`() {
    var route: Route?
    sessions.find(player: "bob") { route = $0 }
    for _ in 1...ClusterSessions.maxArrivalAttempts {
      #expect(route == nil)
      engine.answer { _ in words("x", "south", "south:1", "{}") }
      clock.advance(by: ClusterSessions.arrivalInterval)
    }
    #expect(engine.requests.isEmpty)
    guard case .refused(let error) = route else {
      Issue.record("still waiting")
      return
    }
    #expect(error.code == .unavailable)
  }
}
