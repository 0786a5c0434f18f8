import Foundation

@testable import Server
@testable import Shared

/// Several nodes that are one server, the engine that they have in common, and players. Everything
/// fails now and then. One seed determines every choice.
final class ClusterWorld {
  /// How long all that fails together lasts.
  private static let failureTime: Duration = .seconds(40)
  /// How long nodes and engine may take to be well again, and then the players to be back.
  private static let recoveryTime: Duration = .seconds(40)
  static let returnTime: Duration = .seconds(10)
  /// How often a player may be sent to other nodes within 10 s, whatever fails: with commands, and
  /// with each `resume` at a wrong node.
  static let maxMoves = ClusterSessions.maxMoves + 4
  /// How long the matches may take to end after that.
  private static let endTime: Duration = .seconds(130)

  let time: SimulatedTime
  let engine: SimulatedRedis
  let nodes: [SimulatedNode]
  private(set) var players: [ClusterPlayer] = []
  private(set) var failure: String?
  private(set) var counts: [String: Int] = [:]
  private(set) var trace: [String] = []
  /// FNV-1a, 64 bits, of every line that a player got, with its time.
  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  let told = ToldLines()
  /// Codes that are open, as far as anybody knows, and matches that were told of.
  var codes: [String] = []
  var matches: [String] = []
  /// The claims that the primaries have had.
  private var claims: Set<String> = []
  private let isTracing: Bool
  private var phase = Phase.failing
  /// The failures that are not over.
  private var failing = 0

  private enum Phase {
    case failing
    /// Nothing fails any more, but not everything is well.
    case recovering(since: Duration)
    /// Everything is well.
    case calm(since: Duration)
    case over
  }

  /// With `idlePlayers` there are so many, who do only what is asked for. With `movesMatches` the
  /// operator moves matches between the nodes again and again.
  init(
    seed: UInt64, failures: Int? = nil, idlePlayers: Int? = nil, movesMatches: Bool = false,
    isTracing: Bool = false
  ) {
    self.isTracing = isTracing
    let random = SeededRandom(seed: seed)
    let time = SimulatedTime(random)
    let engine = SimulatedRedis(time)
    self.time = time
    self.engine = engine
    nodes = ["north", "south", "west"].prefix(random.int(2...3)).map {
      SimulatedNode($0, time: time, engine: engine)
    }
    for server in engine.servers { server.observer = self }
    if isTracing {
      for node in nodes {
        node.onLog = { [unowned self] in note("\(node.name): \($0.dropLast())") }
      }
    }
    for node in nodes {
      node.onReplaced = { [unowned self] in fail("\(node.name) takes itself for replaced") }
      attempt { try node.start() }
    }
    players = (1...(idlePlayers ?? random.int(3...6))).map {
      ClusterPlayer($0, in: self, isIdle: idlePlayers != nil)
    }
    for player in players { player.connect(after: random.duration(.zero...Duration.seconds(2))) }
    plan(failures ?? random.int(0...5))
    if movesMatches { moveMatches(SeededRandom(seed: seed)) }
  }

  var now: Duration { time.now }
  var random: SeededRandom { time.random }
  /// Whether players begin nothing new, and play to the end.
  var isFinishing: Bool { if case .failing = phase { false } else { true } }
  /// Since when everything has been well; `nil` if it is not.
  var calmSince: Duration? { if case .calm(let since) = phase { since } else { nil } }

  /// Runs the world. Returns what went wrong; `nil` is a pass.
  func run() -> String? {
    while failure == nil {
      if case .over = phase { break }
      guard step() else { return "nothing happens any more" }
      check { () throws(ViolationError) in try advancePhase() }
    }
    count("failovers", engine.failovers)
    end()
    return failure
  }

  /// Runs until something is true, or a time is over. Returns whether it is true.
  func run(within limit: Duration, until isDone: () -> Bool) -> Bool {
    let end = now + limit
    while failure == nil, now < end, !isDone() {
      if !step() { break }
    }
    return isDone()
  }

  func end() {
    for node in nodes { node.kill() }
    time.end()
  }

  /// Goes on to what happens next. Returns false if nothing does.
  private func step() -> Bool {
    guard let next = ([time.next] + nodes.map(\.nextTurn)).compactMap(\.self).min() else {
      return false
    }
    time.advance(to: next)
    for node in nodes {
      if let turn = node.nextTurn, turn <= now { node.run() }
    }
    check { () throws(ViolationError) in try checkOwners() }
    return true
  }

  /// Returns a node to which a client may connect; mostly one that serves.
  func anyNode() -> SimulatedNode {
    let serving = nodes.filter(\.serves)
    let candidates = serving.isEmpty || random.happens(percent: 10) ? nodes : serving
    return random.pick(candidates) ?? nodes[0]
  }

  // MARK: What is noted

  func count(_ what: String, _ number: Int = 1) { counts[what, default: 0] += number }

  /// A player was sent to other nodes so often within 10 s.
  func noteMoves(_ number: Int) {
    counts["most moves in 10 s"] = max(counts["most moves in 10 s"] ?? 0, number)
  }

  func note(_ text: @autoclosure () -> String) {
    guard isTracing else { return }
    trace.append("\(Double(now.milliseconds) / 1_000) \(text())")
  }

  /// A player got a line.
  func noteDelivery(_ line: String) {
    for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ UInt64(now.milliseconds)) &* 0x0000_0100_0000_01B3
  }

  func check(_ body: () throws(ViolationError) -> Void) {
    guard failure == nil else { return }
    do throws(ViolationError) {
      try body()
    } catch {
      fail(error.text)
    }
  }

  private func attempt(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      fail("a node cannot start: \(error)")
    }
  }

  /// What is told for the first time has been at two servers of the engine: one may die.
  func checkConfirmed(_ line: String, of match: String) throws(ViolationError) {
    var holders = told.formerHolders(of: line, of: match)
    for server in engine.servers {
      let entries = server.data.stream("j:\(match)") ?? []
      if entries.reversed().contains(where: { $0.lines.contains(line) }) {
        holders.insert(server.name)
      }
    }
    try require(holders.count >= 2, "told before two servers of the engine had it: \(line)")
  }

  // MARK: Phases

  private func advancePhase() throws(ViolationError) {
    switch phase {
    case .failing:
      if failing == 0, now > .seconds(1_000) + Self.failureTime {
        note("== no more failures")
        phase = .recovering(since: now)
      }
    case .recovering(let since):
      if engine.isGood, nodes.allSatisfy(\.isWell) {
        note("== all is well")
        phase = .calm(since: now)
      } else {
        try require(
          now < since + Self.recoveryTime,
          "not well \(Self.recoveryTime) after the failures: engine \(engine.isGood), nodes"
            + " \(nodes.filter(\.isWell).map(\.name))")
      }
    case .calm(let since):
      guard now >= since + Self.returnTime else { return }
      for player in players {
        try require(
          player.hasBeenBack || player.hasLostToken,
          "\(player.name) is not back \(Self.returnTime) later")
      }
      let isOver = nodes.allSatisfy { $0.process?.matches.isEmpty == true } && !hasOwners
      if isOver, players.allSatisfy(\.isAtRest) {
        phase = .over
        try checkClocks()
        count("told lines", told.count)
        return try checkStreams()
      }
      try require(
        now < since + Self.endTime,
        "matches go on: \(nodes.map { $0.process?.matches.map(\.id) ?? [] }), owners"
          + " \(engine.primary.data.values["owners"].map { "\($0)" } ?? "none"), players"
          + " \(players.map(\.description))")
    case .over: break
    }
  }

  private var hasOwners: Bool { engine.primary.data.values["owners"] != nil }

  // MARK: Moves

  /// Moves a match of a node to another one, now and then, until nothing fails any more.
  private func moveMatches(_ random: SeededRandom) {
    time.after(random.duration(.milliseconds(500)...Duration.seconds(6))) { [unowned self] in
      guard !isFinishing else { return }
      let owner = random.pick(nodes.filter { $0.process != nil && !$0.isFrozen })
      let target = random.pick(nodes.filter { $0 !== owner })
      let match = random.pick(owner?.process?.matches.map(\.id).sorted() ?? [])
      if let owner, let target, let match {
        note("== \(match) is to move from \(owner.name) to \(target.name)")
        owner.process?.move(match, to: target.name) { [unowned self] isMoved in
          count(isMoved ? "matches moved" : "matches not moved")
        }
      }
      moveMatches(random)
    }
  }

  // MARK: Failures

  private func plan(_ count: Int) {
    for _ in 0..<count {
      failing += 1
      let delay = random.duration(.seconds(3)...Self.failureTime)
      time.after(delay) { [unowned self] in
        let duration = fail()
        time.after(duration) { [unowned self] in failing -= 1 }
      }
    }
  }

  /// Lets something fail. Returns for how long.
  private func fail() -> Duration {
    let kind = random.pick(weighted: [
      (4, "node killed"), (4, "node frozen"), (3, "node cut off"), (2, "node leaves"),
      (4, "primary killed"), (4, "primary frozen"), (4, "primary woken at the promotion"),
      (2, "replica frozen"), (1, "engine down"), (2, "engine slow"), (2, "replicas behind"),
      (3, "failover and owner"), (2, "entries refused"), (3, "primary and replica killed"),
      (2, "stream deleted"),
    ])
    let node = random.pick(nodes) ?? nodes[0]
    note("== \(kind ?? "") (\(node.name), \(engine.primary.name))")
    count(kind ?? "")
    let duration = random.duration(.seconds(4)...Duration.seconds(15))
    switch kind {
    case "node killed": kill(node, for: duration)
    case "node frozen":
      node.freeze()
      time.after(duration) { node.wake() }
    case "node cut off":
      node.cut()
      let short = random.duration(.seconds(1)...duration)
      time.after(short) { node.join() }
    case "node leaves":
      node.stop()
      time.after(duration) { [unowned self] in restart(node) }
    case "primary killed": engine.kill(engine.primary, for: duration)
    case "primary frozen": engine.freeze(engine.primary, for: duration)
    case "primary woken at the promotion": engine.freezePrimaryUntilPromotion()
    case "replica frozen":
      let replicas = engine.servers.filter { !$0.isPrimary }
      if let replica = random.pick(replicas) { engine.freeze(replica, for: duration) }
    case "engine down":
      let long = duration * 4
      engine.goDown(for: long)
      return long
    case "engine slow": engine.slowDown(for: duration)
    case "entries refused": engine.refuseEntries(for: duration)
    case "replicas behind": engine.delayReplicas(for: duration)
    case "primary and replica killed": return engine.killNewest(for: duration)
    case "stream deleted":
      let playing = nodes.filter(\.isWell).flatMap { $0.process?.matches ?? [] }
        .filter(\.summary.isRunning).map(\.id).sorted()
      if let match = random.pick(playing) {
        note("== of \(match)")
        engine.delete(match)
      }
    default:
      engine.delayReplicas(for: .seconds(1))
      engine.kill(engine.primary, for: duration)
      let delay = random.duration(.zero...Duration.seconds(4))
      time.after(delay) { [unowned self] in kill(node, for: duration) }
      return duration + delay
    }
    return duration
  }

  private func kill(_ node: SimulatedNode, for duration: Duration) {
    node.kill()
    time.after(duration) { [unowned self] in restart(node) }
  }

  private func restart(_ node: SimulatedNode) {
    // A node that leaves takes its time.
    guard node.process == nil else {
      return time.after(.milliseconds(500)) { [unowned self] in restart(node) }
    }
    attempt { try node.start() }
  }

}

extension ClusterWorld: RedisObserver {
  func fail(_ text: String) {
    if failure == nil { failure = text }
  }

  func server(
    _ server: SimulatedRedisServer, didAdd entry: RedisData.Entry, after last: RedisData.Entry?,
    to match: String
  ) {
    check { () throws(ViolationError) in
      try require(
        entry.field("p") == last?.id.text,
        "entry \(entry.id.text) of \(match) follows \(entry.field("p") ?? "none"), not"
          + " \(last?.id.text ?? "none")")
      guard let claim = entry.field("c") else { return }
      note("\(claim) claims \(match) at \(server.name) with \(entry.id.text)")
      count("claims")
      // One that is added again, because its stream was lost, comes before what later owners add.
      guard server === engine.primary, claims.insert("\(match) \(claim)").inserted else { return }
      try checkDeath(ofOwnerOf: match, before: claim)
      let stored = Set(server.data.stream("j:\(match)")?.flatMap(\.lines) ?? [])
      // What the claimant has told itself follows, if its claim was lost and is added again.
      let claimant = Life(claim.split(separator: " ").prefix(2).joined(separator: " "))
      for line in told.lines(of: match)
      where !stored.contains(line.text) && !told.isExcused(line, of: match)
        && line.life != claimant
      {
        try excuse(line, of: match)
      }
    }
  }

  func server(_ server: SimulatedRedisServer, didReplace old: RedisData) {
    note("\(server.name) has the data of \(server.leader?.name ?? "nobody else")")
    for key in old.values.keys.sorted() where key.hasPrefix("j:") {
      let match = String(key.dropFirst(2))
      guard let entries = old.stream(key) else { continue }
      let kept = server.data.stream("j:\(match)") ?? []
      let lines = Set(kept.flatMap(\.lines))
      for line in entries.flatMap(\.lines) where !lines.contains(line) {
        told.drop(line, of: match, at: server.name)
      }
      let records = Set(kept.flatMap(\.records))
      for record in entries.flatMap(\.records)
      where (record.hasPrefix("t ") || record.hasPrefix("b ")) && !records.contains(record) {
        told.dropTokens(in: record, of: match)
      }
    }
  }
}
