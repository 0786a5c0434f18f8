import Foundation
import Shared

/// This process's part in a cluster: several processes that are one server to their clients.
///
/// A match lives on one node, and everybody in it is connected to that node. The engine has what
/// the nodes have in common: the streams of the matches, who owns them, and where sessions, waiting
/// players and codes are.
final class Cluster {
  /// How long to wait before the streams are compared again, when the engine has refused an entry.
  static let retryDelay: Duration = .milliseconds(100)
  /// How often it looks whether the last entries are stored, when it leaves.
  static let leaveInterval: Duration = .milliseconds(10)

  weak var host: (any OtherServersHost)? { didSet { moves.host = host } }
  weak var operatorHost: (any ServerGroupHost)?
  /// Called when another process has taken the name of this node, after the host has stood down.
  var onReplaced: () -> Void = {}
  /// Called when another process with the name of this node is alive at another address.
  var onNameInUse: (_ address: String) -> Void = { _ in }
  /// Called when this node has left, and all that it had to store is stored.
  var onLeave: () -> Void = {}
  let node: ClusterNode
  let sessions: ClusterSessions
  let requests: ClusterRequests
  let store: RedisMatchStore
  let claims: MatchClaims
  let moves: MatchMoves
  let lists: ClusterLists
  let `operator`: ClusterOperator
  let questions: ClusterQuestions
  let directory: ClusterDirectory
  let clock: RedisClock
  let followers: ArchiveFollowers
  /// Where clients reach this node.
  let address: String
  var addressCheck: AddressCheck?
  var loggedAddressProblem: AddressProblem?
  private let engine: any Redis
  private let outbox: RedisOutbox
  private let memory: RedisMemory
  private let neededReplicas: Int
  let timers: any Timers
  let random: RandomSource
  private let serverLog: ServerLog
  /// What has happened since the start of the process, for `figures`.
  private var fencedMatches = 0
  private var standDowns = 0

  init(
    _ options: ClusterOptions, address: String, engine: any Redis, context: ClusterContext
  ) {
    let (games, random, now) = (context.games, context.random, context.now)
    self.engine = engine
    timers = context.timers
    serverLog = context.serverLog
    self.address = address
    self.random = random
    neededReplicas = options.replicas
    clock = RedisClock(engine: engine, now: now)
    node = ClusterNode(
      options.node, address: address, engine: engine, timers: timers, load: context.load,
      now: now)
    outbox = RedisOutbox(engine: engine, timers: timers)
    store = RedisMatchStore(
      engine: engine, gate: context.gate, timers: timers, metrics: serverLog.metrics)
    claims = MatchClaims(engine: engine, games: games, random: random)
    let life = { [unowned node] in node.life }
    sessions = ClusterSessions(
      engine: engine, outbox: outbox, claims: claims, timers: timers, random: random,
      address: address, life: life)
    sessions.visits.isResponsive = { [unowned node] in node.watch.isResponsive($0) }
    sessions.visits.renewals = { [unowned node] in node.watch.renewals(ofNew: $0) }
    requests = ClusterRequests(engine: engine, outbox: outbox, timers: timers, life: life)
    lists = ClusterLists(engine: engine, timers: timers, node: node)
    `operator` = ClusterOperator(engine: engine)
    questions = ClusterQuestions(
      engine: engine, timers: timers, random: random, node: options.node,
      send: { [unowned `operator`] in `operator`.send($0, answer: $1) })
    moves = MatchMoves(
      store: store, claims: claims, sessions: sessions, engine: engine, node: node,
      timers: timers)
    followers = ArchiveFollowers(engine: engine, keep: options.keep)
    memory = RedisMemory(engine: engine, timers: timers)
    directory = ClusterDirectory(
      engine: engine, passwords: context.passwords, timers: timers, games: games, now: Date.init)
    requests.mayGo = { [unowned sessions] in sessions.visits.mayGo($0, by: $1) }
    `operator`.onFollower = { [unowned followers] in followers.take($0) }
    observeNode()
    observeSessions()
    observeMatches()
    observeClock()
    observeOperators()
  }

  var log: Log { serverLog.log }

  /// Without what only the connection to the engine knows.
  var figures: ClusterFigures {
    ClusterFigures(
      isAlive: node.state.isAlive, nodes: node.watch.alive.count, claimedMatches: claims.count,
      fencedMatches: fencedMatches, movedSessions: sessions.moveCount, standDowns: standDowns,
      clockSkew: clock.skew, lastArchive: `operator`.lastArchive, lastBackup: `operator`.lastBackup,
      lastFollowerWord: followers.lastWord, archiveLag: followers.lag,
      engine: memory.usage.map {
        EngineFigures(
          memory: $0.used, maxMemory: $0.limit, replicas: $0.replicas,
          neededReplicas: neededReplicas)
      })
  }

  private func observeNode() {
    node.willJoin = { [unowned self] in store.former.repair(then: $0) }
    node.perform = { [unowned self] in carryOut($0) }
    node.didBury = { [unowned self] name, entry in
      log.write(.warning, "nodeDied", ["node": .text(name), "address": .text(entry.address)])
    }
  }

  private func carryOut(_ action: NodeState.Action) {
    switch action {
    case .join(let life):
      store.begin(life)
      store.hasRoom = memory.hasRoom
      log.write(.info, "joined", ["incarnation": .number(life.incarnation)])
    case .hold:
      store.hold()
    case .release:
      store.compare()
      endLostMatches()
      moves.didReconnect()
      outbox.didConnect()
      sessions.keepAll()
    case .standDown:
      standDown(because: "The engine has not confirmed that this node is alive.")
    case .standDownForGood:
      standDown(because: "Another process has the name of this node.")
      onReplaced()
    case .reportNameInUse(let address):
      log.write(.warning, "nameInUse", ["address": .text(address)])
      onNameInUse(address)
    case .look(let ended):
      guard let life = node.life else { return }
      claims.claim(from: ended, for: life, node.watch)
      requests.repeatAll()
      lists.publish()
      clock.look { [unowned self] in `operator`.look() }
      memory.look()
      logAddressProblem()
    case .bury: break
    }
  }

  private func observeSessions() {
    sessions.own = { [unowned self] in host?.sessions ?? [] }
    sessions.isKnown = { [unowned self] in store.contains($0) || directory.follows($0) }
    sessions.ends.isEnding = { [unowned self] in store.isEnding(matchOf: $0) }
    sessions.isGiven = { [unowned self] in moves.isRecent($0) }
    moves.onGive = { [unowned self] match, node in
      log.write(.info, "matchMoved", ["match": .text(match), "node": .text(node)])
      directory.matchDidEnd(match)
    }
    sessions.onArrival = { [unowned self] in host?.take($0, done: $1) }
    requests.onMatch = { [unowned self] in host?.follow($1, of: $0, by: $2) }
    lists.own = { [unowned self] in host?.list($0) ?? .games(Page([])) }
  }

  private func observeClock() {
    clock.onStep = { [unowned self] step in
      log.write(
        .warning, "engineClockStepped",
        [
          "ms": .number(step.wholeMilliseconds),
          "text": .words("The clock of the engine was set. Bans and mutes keep their lengths."),
        ])
    }
    clock.onSkew = { [unowned self] skew in
      let isLarge = skew.magnitude > RedisClock.maxSkew
      log.write(
        isLarge ? .warning : .info, "clockSkew",
        [
          "ms": .number(skew.wholeMilliseconds),
          "text": .words(
            isLarge
              ? "The clock of this host differs from the engine's. Bans and mutes end by the"
                + " engine's. Set both with NTP."
              : "The clock of this host is right again."),
        ])
    }
  }

  private func standDown(because reason: String) {
    log.write(.warning, "stoodDown", ["text": .words(reason)])
    standDowns += 1
    host?.standDown()
    for match in store.ids { directory.matchDidEnd(match) }
    outbox.removeAll()
    claims.giveUp()
    moves.giveUp()
    store.giveUp()
    sessions.ends.didLoseMatches()
    store.hasRoom = false
    clock.forget()
  }

  private func observeMatches() {
    memory.onChange = { [unowned self] usage in
      store.hasRoom = usage.hasRoom
      log.write(
        .warning, usage.hasRoom ? "engineHasRoom" : "engineFull",
        ["used": .number(usage.used), "limit": .number(usage.limit)])
    }
    store.onTrouble = { [unowned self] in
      timers.schedule(after: Self.retryDelay) { [weak self] in
        // Otherwise they are compared when it is released.
        guard let self, node.state.isReleased, engine.isConnected else { return }
        store.compare()
      }
    }
    store.onFence = { [unowned self] match in
      log.write(.warning, "fenced", ["match": .text(match)])
      fencedMatches += 1
      directory.matchDidEnd(match)
      host?.giveUp(match: match)
      sessions.ends.didLoseMatches()
    }
    store.onStore = { [unowned self] in directory.didStore($0, of: $1) }
    store.onFinish = { [unowned self] in end($0, of: $1) }
    claims.onClaim = { [unowned self] claimed in
      let new = claimed.filter { !store.contains($0.stream.id) }
      for match in new {
        store.take(match.stream)
        directory.didStore(match.records, of: match.stream.id)
      }
      log.write(.info, "claimed", ["matches": .number(new.count)])
      let unwanted = host?.takeUp(new.map(\.state)) ?? []
      for match in unwanted { store.drop(match) }
      if let life = node.life { claims.end(unwanted, of: life) }
    }
    claims.onEnded = { [unowned self] match, players, records in
      directory.didStore(records, of: match)
      let present = Set(sessions.own().map(\.id)).intersection(players.compactMap(\.id))
      end(match, of: present.sorted())
      for player in players {
        guard let id = player.id, !present.contains(id), let name = try? PlayerName(player.name)
        else { continue }
        sessions.endSession(id, of: name, in: match)
      }
    }
    claims.onDamage = { [unowned self] match, reason in
      log.write(.warning, "unusableMatch", ["match": .text(match), "reason": .text(reason)])
    }
  }

  private func endLostMatches() {
    guard let life = node.life else { return }
    claims.endLost(of: life) { [unowned self] in
      store.contains($0) || directory.follows($0) || moves.isRecent($0)
    }
  }

  /// A match has ended, and its last entry is stored. Its stream must stay until the results of its
  /// games are written too.
  private func end(_ match: String, of sessions: [String]) {
    guard let life = node.life else { return }
    outbox.post(.moveToLobby, [match, life.text] + sessions)
    self.sessions.ends.matchDidEnd(of: sessions)
    directory.matchDidEnd(match) { [weak self] in
      guard let self else { return }
      outbox.post(.endMatch, [match, life.text, String(followers.keep.milliseconds)])
    }
  }

  /// Sends commands that change nothing to the engine.
  func send(_ commands: RedisCommands, answer: @escaping ([RedisReply]?) -> Void) {
    engine.send(commands, confirmed: .never, answer: answer)
  }

  /// The connection to the engine has ended.
  func didDisconnect() { store.matchTimers.pause() }

  /// There is a new connection to the engine. Nothing is written before the streams are compared.
  func didConnect() {
    if node.life != nil { store.hold() }
    lists.didConnect()
    node.didConnect()
  }
}

/// What a node needs of its process.
struct ClusterContext {
  let games: GameRegistry
  let gate: OutputGate
  let timers: any Timers
  let random: RandomSource
  let serverLog: ServerLog
  let passwords: PasswordQueue
  /// Returns the number of sessions.
  let load: () -> Int
  /// A clock that goes on while the machine sleeps.
  let now: () -> Duration
}
