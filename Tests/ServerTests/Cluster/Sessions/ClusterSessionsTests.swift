import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ClusterSessionsTests {
  private let engine = ManualRedis()
  private let clock = ManualTimers()
  private let sessions: ClusterSessions
  private let ann: Session

  init() throws {
    sessions = ClusterSessions(
      engine: engine, outbox: RedisOutbox(engine: engine, timers: clock),
      claims: MatchClaims(engine: engine, games: .server, random: RandomSource()), timers: clock,
      random: RandomSource(), address: "north:1", life: { Life(node: "north", incarnation: 3) })
    let ann = Session(
      number: 1, id: "s1", name: try PlayerName("Ann"), token: Token(RandomSource()),
      outlet: nil, chatRate: nil, begin: .zero)
    self.ann = ann
    sessions.own = { [ann] }
  }

  /// The arguments of the scripts in the oldest request.
  private var sent: [[String]] { engine.requests.first?.commands.map { Array($0[3...]) } ?? [] }

  @Test func `sessions that the engine refuses are written again`() {
    sessions.keepAll()
    #expect(sent == [["ann", "s1", "north 3"]])
    engine.answer { _ in .error("OOM") }
    #expect(engine.requests.isEmpty)
    clock.advance(by: RedisOutbox.refusalDelay)
    #expect(sent == [["ann", "s1", "north 3"]])
    engine.confirm()
    clock.advance(by: .seconds(10))
    #expect(engine.requests.isEmpty)
  }

  @Test func `a new connection begins again instead of a further attempt`() {
    sessions.keepAll()
    engine.answer { _ in .error("OOM") }
    sessions.keepAll()
    #expect(engine.requests.count == 1)
    engine.answer(nil)
    clock.advance(by: .seconds(10))
    #expect(engine.requests.isEmpty)
  }

  @Test func `a session is there until the engine has the end of its match`() {
    var isEnding = true
    sessions.ends.isEnding = { _ in isEnding }
    sessions.endSession("s1", of: ann.name)
    sessions.ends.matchDidEnd(of: ["s1"])
    #expect(engine.requests.isEmpty)
    isEnding = false
    sessions.ends.matchDidEnd(of: ["s2"])
    #expect(engine.requests.isEmpty)
    sessions.ends.matchDidEnd(of: ["s1"])
    #expect(sent == [["ann", "s1"]])
    engine.confirm()
    sessions.ends.matchDidEnd(of: ["s1"])
    #expect(engine.requests.isEmpty)
  }

  @Test func `a session whose match another node has is that node's`() {
    var isEnding = true
    sessions.ends.isEnding = { _ in isEnding }
    sessions.endSession("s1", of: ann.name)
    isEnding = false
    sessions.ends.didLoseMatches()
    sessions.ends.matchDidEnd(of: ["s1"])
    #expect(engine.requests.isEmpty)
  }

  private func words(_ words: String...) -> RedisReply {
    .array(words.map { .bulk(Array($0.utf8)) })
  }

  @Test func `a player on the way to a node is waited for`() {
    var route: Route?
    sessions.find(player: "bob") { route = $0 }
    engine.answer { _ in words("x", "south", "south:1", "{}") }
    #expect(route == nil && engine.requests.isEmpty)
    clock.advance(by: ClusterSessions.arrivalInterval)
    engine.answer { _ in words("n", "south 2", "south:1") }
    guard case .elsewhere(Life(node: "south", incarnation: 2), "south:1", _) = route else {
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

  /// What the search for the match of a player is answered with.
  private func matchOfBob(_ reply: RedisReply) throws -> Route? {
    var route: Route?
    sessions.findMatch(of: try PlayerName("Bob")) { route = $0 }
    #expect(sent == [["bob"]])
    engine.answer { _ in reply }
    return route
  }

  @Test func `the match of a player is at the node that owns it`() throws {
    let reply = words("m", "s-1", "south 2", "south:1")
    guard case .elsewhere(_, "south:1", nil) = try matchOfBob(reply) else {
      Issue.record("not found at the other node")
      return
    }
  }

  @Test(arguments: [["n", "south 2", "south:1"], ["x", "south", "south:1", "{}"], []])
  func `a name without a match is taken`(_ place: [String]) throws {
    let reply = RedisReply.array(place.map { .bulk(Array($0.utf8)) })
    guard case .refused(let error) = try matchOfBob(reply) else {
      Issue.record("a match was found")
      return
    }
    #expect(error.code == .nameTaken)
  }

  // MARK: Ways to other nodes

  private let secret = Token(RandomSource())

  /// What a resume is answered with, whose session the engine has at another node. `isFirst` is
  /// whether the token was not sent there before.
  private func resume(
    at address: String = "south:1", isFirst: Bool = true
  ) -> Route? {
    var route: Route?
    sessions.find("s2", secret) { route = $0 }
    engine.answer { _ in words("n", "south 2", address) }
    if !engine.requests.isEmpty { engine.answer { _ in isFirst ? .status("OK") : .null } }
    return route
  }

  private func isRefused(_ route: Route?) -> Bool {
    guard case .refused(let error) = route else { return false }
    return error.code == .unavailable && error.retry != nil
  }

  @Test func `a token is sent to a node once`() {
    guard case .elsewhere = resume() else {
      Issue.record("not sent to the node that has the session")
      return
    }
    #expect(isRefused(resume(isFirst: false)))
  }

  @Test func `a token is sent again to a node that has just begun once that has shown itself`() {
    var count = 0
    sessions.visits.renewals = { _ in count }
    func key() -> String? {
      sessions.find("s2", secret) { _ in }
      engine.answer { _ in words("n", "south 2", "south:1") }
      defer { engine.answer { _ in .status("OK") } }
      return engine.requests.first?.commands.first?[1]
    }
    let first = key()
    #expect(key() == first)
    count = 1
    #expect(key() != first)
  }

  @Test func `a token whose client was not told counts as not sent`() throws {
    var route: Route?
    sessions.find("s2", secret) { route = $0 }
    engine.answer { _ in words("n", "south 2", "south:1") }
    let key = try #require(engine.requests.first?.commands.first)[1]
    engine.answer { _ in .status("OK") }
    sessions.visits.forget(try #require(route), of: "s2", secret)
    #expect(engine.requests.first?.commands == [["DEL", key]])
  }

  @Test func `nobody is sent to this node's own address`() {
    #expect(isRefused(resume(at: "north:1")))
  }

  @Test func `nobody is sent to a node that does not show itself`() {
    let sessions = ClusterSessions(
      engine: engine, outbox: RedisOutbox(engine: engine, timers: clock),
      claims: MatchClaims(engine: engine, games: .server, random: RandomSource()), timers: clock,
      random: RandomSource(), address: "north:1", life: { Life(node: "north", incarnation: 3) })
    sessions.visits.isResponsive = { $0.node != "south" }
    var route: Route?
    sessions.find("s2", secret) { route = $0 }
    engine.answer { _ in words("n", "south 2", "south:1") }
    #expect(isRefused(route))
    var departure: Departure?
    sessions.handOver(
      ann, by: .elsewhere(Life(node: "south", incarnation: 2), address: "south:1"), nil
    ) { departure = $0 }
    guard case .refused = departure else {
      Issue.record("sent away")
      return
    }
    #expect(engine.requests.isEmpty)
  }

  @Test func `a session that did not reach another node stays here, and is not sent there again`()
    throws
  {
    let handed = HandedOverSession(ann, .start(opponent: "bob", game: nil))
    var arrival = Arrival.nothing
    var route: Route?
    sessions.onArrival = { $1() }
    sessions.find("s1", ann.token, arrival: { arrival = $0 }) { route = $0 }
    engine.answer { _ in words("x", "south", "south:1", handed.text) }
    engine.answer { _ in .integer(1) }
    guard case .here = route, case .refused(let error) = arrival else {
      Issue.record("not here, or its command is carried out")
      return
    }
    #expect(error.code == .unavailable && error.retry != nil)
    let south = Route.elsewhere(Life(node: "south", incarnation: 2), address: "south:1")
    let west = Route.elsewhere(Life(node: "west", incarnation: 4), address: "west:1")
    #expect(!sessions.visits.mayGo(ann, by: south))
    #expect(sessions.visits.mayGo(ann, by: west))
    clock.advance(by: NodeVisits.missTime)
    #expect(sessions.visits.mayGo(ann, by: south))
  }

  @Test(arguments: [2, 3])
  func `a session stays if the other player has left, or it has moved too often`(reply: Int) {
    var departure: Departure?
    let south = Life(node: "south", incarnation: 2)
    sessions.handOver(
      ann, by: .elsewhere(south, address: "south:1", player: ann.name.key), nil
    ) { departure = $0 }
    #expect(sent.first?.suffix(4) == ["5", "10000", "ann", "south 2"])
    engine.answer { _ in .integer(reply) }
    switch departure {
    case .playerHasGone: #expect(reply == 2)
    case .refused(let error): #expect(reply == 3 && error.retry != nil)
    case .left, nil: Issue.record("it has left")
    }
  }
}
