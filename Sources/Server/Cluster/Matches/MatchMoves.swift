import Shared

/// Moves matches to other nodes while they go on, because the operator wants it.
///
/// The match is detached here when all that has happened in it is stored. The engine then makes the
/// other node its owner, in one step with a claim in its stream, and only after that its players
/// are sent there. So at each moment one node has it, or none.
final class MatchMoves {
  /// How long, and how often, to wait until nothing of a match is on its way to the engine.
  static let settleTime: Duration = .seconds(2)
  static let settleInterval: Duration = .milliseconds(5)
  /// How long this node waits before it takes a match up again that it has given away, when the
  /// engine may have lost that. The other one may have it, and repairs what was lost.
  static let recentTime: Duration = .seconds(5)
  /// The time between two matches of a plan.
  static let interval: Duration = .milliseconds(50)

  weak var host: (any OtherServersHost)?
  private let store: RedisMatchStore
  private let claims: MatchClaims
  private let sessions: ClusterSessions
  private let engine: any Redis
  private let node: ClusterNode
  private let timers: any Timers
  /// Called with a match that is not here any more.
  var onGive: (_ match: String, _ node: String) -> Void = { _, _ in }
  /// When the last matches were given away.
  private var recent: [String: Duration] = [:]
  /// The plans that are being carried out: the matches, and where each goes.
  private var queue: [(match: String, node: String)] = []
  private var isBusy = false

  init(
    store: RedisMatchStore, claims: MatchClaims, sessions: ClusterSessions, engine: any Redis,
    node: ClusterNode, timers: any Timers
  ) {
    self.store = store
    self.claims = claims
    self.sessions = sessions
    self.engine = engine
    self.node = node
    self.timers = timers
  }

  /// Whether a match was given away a moment ago.
  func isRecent(_ match: String) -> Bool {
    recent[match].map { timers.now < $0 + Self.recentTime } ?? false
  }

  /// Looks who owns a match; the inner `nil` if there is none, and the outer one without an answer.
  func owner(of match: String, answer: @escaping (Life??) -> Void) {
    engine.run(.findMatch, match, confirmed: .never) { reply in
      answer(reply?.elements.map { $0.first?.text.flatMap(Life.init) })
    }
  }

  /// Moves a match of this node to another one.
  func move(_ match: String, to name: String, answer: @escaping CommandAnswer<Void>) {
    settle(match, to: name, until: timers.now + Self.settleTime, answer)
  }

  private func settle(
    _ match: String, to name: String, until end: Duration, _ answer: @escaping CommandAnswer<Void>
  ) {
    guard name != node.name else {
      return answer(.failure(CommandError(.badField, "The match \(match) is at this node.")))
    }
    guard node.state.isReleased, let life = node.life, let entry = node.watch[name] else {
      return answer(.failure(.noNode(called: name)))
    }
    let target = Life(node: name, incarnation: entry.incarnation)
    guard node.watch.isResponsive(target), node.watch.isAlive(target) else {
      return answer(.failure(.noNode(called: name)))
    }
    guard store.contains(match) else {
      return answer(.failure(CommandError(.unknownMatch, "The match \(match) is over.")))
    }
    guard store.isSettled(match) else {
      guard timers.now < end else { return answer(.failure(.moveLater)) }
      timers.schedule(after: Self.settleInterval) { [weak self] in
        guard let self else { return }
        settle(match, to: name, until: end, answer)
      }
      return
    }
    check(match, of: life) { [weak self] isWhole in
      guard let self else { return }
      // An event may have come meanwhile, and somebody may have deleted the stream.
      guard isWhole, node.life == life, store.isSettled(match) else {
        guard isWhole, timers.now < end else { return answer(.failure(.moveLater)) }
        return settle(match, to: name, until: end, answer)
      }
      give(match, of: life, to: target, at: entry.address, answer)
    }
  }

  /// Looks whether the stream of a match ends as it should.
  private func check(_ match: String, of life: Life, answer: @escaping (Bool) -> Void) {
    let last = store.lastID(of: match)
    engine.ask("XREVRANGE", RedisKey.stream(match), "+", "-", "COUNT", "1") { reply in
      let top = reply?.elements?.first?.elements?.first?.text
      answer(top != nil && top == last)
    }
  }

  private func give(
    _ match: String, of life: Life, to target: Life, at address: String,
    _ answer: @escaping CommandAnswer<Void>
  ) {
    recent = recent.filter { timers.now < $0.value + RedisMatchStore.finishedTime }
    recent[match] = timers.now
    var spectators: [Session] = []
    let order = ClusterOperator.Order(take: match, to: target.node)
    // Closes the gate, so that the players are told when the engine has it.
    store.give(match, to: target, [claims.nonce, order.text]) { [weak self] isGiven in
      guard let self else { return }
      guard isGiven == true else {
        // Without an answer nobody knows who owns it. With the next connection that is looked up.
        if isGiven == false { takeBack(match, of: life) }
        return answer(.failure(.moveLater))
      }
      for session in spectators { send(session, to: target, at: address, toWatch: match) }
      answer(.success(()))
    }
    spectators = host?.give(match: match, to: address) ?? []
    onGive(match, target.node)
  }

  /// Takes up a match again that is this node's, if it still is.
  private func takeBack(_ match: String, of life: Life) {
    recent[match] = nil
    store.forget(given: match)
    if node.life == life { claims.claim([match], of: life, for: life) {} }
  }

  /// There is a new connection to the engine, which may have lost that matches were given away.
  /// After a while the other nodes have repaired that, or do not have them.
  func didReconnect() {
    guard let life = node.life else { return }
    for (match, time) in recent where timers.now < time + RedisMatchStore.finishedTime {
      recent[match] = timers.now
      timers.schedule(after: Self.recentTime) { [weak self] in
        guard let self, recent[match] != nil, store.hasStored(given: match) else { return }
        takeBack(match, of: life)
      }
    }
  }

  /// Sends a spectator after a match.
  private func send(
    _ session: Session, to target: Life, at address: String, toWatch match: String
  ) {
    guard case .lobby = session.place else { return }
    let route = Route.elsewhere(target, address: address)
    sessions.handOver(session, by: route, .watch(match: match)) { [weak self] departure in
      guard case .left = departure else { return }
      self?.host?.release(session, to: address)
    }
  }

  /// Another node has given a match to this one.
  func take(_ match: String) {
    guard let life = node.life, !store.contains(match) else { return }
    claims.claim([match], of: life, for: life) {}
  }

  // MARK: - Plans

  /// Begins to move matches to the nodes of a plan, until each node gets its number of players.
  /// Returns the number of matches.
  func begin(_ plan: [(node: String, players: Int)]) -> Int {
    let planned = Set(queue.map(\.match))
    var rest = store.movable.filter { !planned.contains($0.match) }[...]
    var count = 0
    for target in plan {
      var missing = target.players
      while missing > 0, let (match, players) = rest.popFirst() {
        queue.append((match, target.node))
        missing -= players
        count += 1
      }
    }
    moveNext()
    return count
  }

  private func moveNext() {
    guard !isBusy, !queue.isEmpty else { return }
    isBusy = true
    let (match, name) = queue.removeFirst()
    move(match, to: name) { [weak self] _ in
      guard let self else { return }
      timers.schedule(after: Self.interval) { [weak self] in
        self?.isBusy = false
        self?.moveNext()
      }
    }
  }

  /// The life of this node has ended, and with it what it had.
  func giveUp() {
    queue = []
    recent = [:]
    isBusy = false
  }
}

extension CommandError {
  /// The match begins, ends or moves at this moment.
  static let moveLater = CommandError(
    .unavailable, "The match cannot move at this moment. Try again.", retry: .seconds(1))

  static func noNode(called name: String) -> CommandError {
    CommandError(
      .badField, field: "node",
      "No node called \(name) can be reached. To see the nodes, type: cluster")
  }
}

extension RedisScript {
  /// Gives a match to another life: match, life that owns it, new life, id of the last entry,
  /// nonce, and the order that tells the other node. Returns 1, or 0 if it has another owner, if
  /// the new life has ended, or if its last entry is another one.
  static let giveMatch = RedisScript(
    name: "giveMatch",
    text: addressOfLife + addOrder + """
      if redis.call('HGET', 'owners', ARGV[1]) ~= ARGV[2] or not address(ARGV[3]) then return 0 end
      local stream = 'j:' .. ARGV[1]
      local top = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
      if not top or top[1] ~= ARGV[4] then return 0 end
      local term = string.match(top[1], '^%d+')
      redis.call('XADD', stream, (term + 1) .. '-0', 'p', top[1], 'c', ARGV[3] .. ' ' .. ARGV[5])
      redis.call('HSET', 'owners', ARGV[1], ARGV[3])
      redis.call('SREM', 'o:' .. ARGV[2], ARGV[1])
      redis.call('SADD', 'o:' .. ARGV[3], ARGV[1])
      order(ARGV[6])
      return 1
      """)
}
