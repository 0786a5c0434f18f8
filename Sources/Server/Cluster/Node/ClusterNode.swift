import Shared

/// This process as a node of the cluster: it shows each second that it is alive, sees who else is,
/// and stands down when it cannot.
final class ClusterNode {
  static let period: Duration = .seconds(1)
  /// Without a renewal for so long, this node says nothing to any client until it has one: others
  /// may soon take it for dead.
  static let silenceTime: Duration = .seconds(4)
  /// Without a renewal for so long, it gives up its matches and sessions: others may have them.
  static let standDownTime: Duration = .seconds(5)

  /// Called before a life begins, which it does when the argument is called.
  var willJoin: (@escaping () -> Void) -> Void = { $0() }
  /// Called when a life begins. Then clients are welcome.
  var onJoin: (Life) -> Void = { _ in }
  /// Called when nothing may be said to any client until `onRelease`.
  var onHold: () -> Void = {}
  /// Called after each new connection to the engine, and after `onHold`, once a renewal has shown
  /// that the life goes on.
  var onRelease: () -> Void = {}
  /// Called when the life has ended: all that the node had may be somebody else's now.
  var onStandDown: () -> Void = {}
  /// Called once when another process has taken the node's name. The node has left then.
  var onReplaced: () -> Void = {}
  /// Called once when another process with the node's name is alive at another address. This one
  /// does not join then.
  var onNameInUse: (_ address: String) -> Void = { _ in }
  /// Called after each renewal with the lives that have ended, and may have left matches.
  var onLook: (_ ended: [Life]) -> Void = { _ in }

  let name: String
  private let address: String
  private let engine: any Redis
  private let timers: any Timers
  private let load: () -> Int
  /// A clock that goes on while the machine sleeps.
  private let now: () -> Duration
  private var state = State.away
  private var isAsking = false
  private var counter = 0
  /// The largest incarnation that this process has seen.
  private var lastIncarnation = 0
  private(set) var watch = NodeWatch()
  /// What stands under the name of this node but has another address, and since when it stands
  /// still.
  private var namesake: (entry: NodeEntry, since: Duration)?
  /// When the last renewal that was answered had been sent.
  private var renewal = Duration.zero
  /// How long the engine has taken to answer it.
  private(set) var roundTrip = Duration.zero
  /// Whether the streams of matches have to be compared: the connection is new.
  private var needsRelease = false
  private var timer: LoopTimer?

  private enum State {
    case away
    case alive(Life)
    /// Alive as far as it knows, but silent.
    case silent(Life)
    case left
  }

  init(
    _ name: String, address: String, engine: any Redis, timers: any Timers,
    load: @escaping () -> Int, now: @escaping () -> Duration
  ) {
    self.name = name
    self.address = address
    self.engine = engine
    self.timers = timers
    self.load = load
    self.now = now
  }

  deinit { timer?.cancel() }

  /// The life that goes on; `nil` while the node is away.
  var life: Life? {
    switch state {
    case .alive(let life), .silent(let life): life
    case .away, .left: nil
    }
  }

  /// Whether what the node knows of the cluster can be told.
  var isAlive: Bool {
    if case .alive = state { true } else { false }
  }

  /// Whether a life goes on, as far as this node knows.
  func isAlive(_ life: Life) -> Bool { watch.isAlive(life.node, life.incarnation) }

  /// Another live node that advertises the same address, and whether this node has joined after it.
  var addressTwin: (name: String, isYounger: Bool)? {
    guard let life else { return nil }
    for name in watch.alive where name != self.name {
      guard let entry = watch[name], entry.address.lowercased() == address.lowercased() else {
        continue
      }
      return (name, entry.incarnation < life.incarnation)
    }
    return nil
  }

  /// Whether it makes sense to send clients to a node: it has shown itself lately.
  func isResponsive(_ life: Life) -> Bool { watch.isResponsive(life) }

  /// How often a life that has just begun has shown itself; `nil` for any other.
  func renewals(ofNew life: Life) -> Int? { watch.renewals(ofNew: life) }

  func start() {
    guard timer == nil else { return }
    tick()
  }

  /// Whether a renewal has been answered over the connection to the engine. Only then does a `WAIT`
  /// mean anything: before its first write a connection has nothing to wait for.
  var isReleased: Bool { isAlive && !needsRelease }

  /// There is a new connection to the engine.
  func didConnect() {
    isAsking = false
    needsRelease = true
    ask()
  }

  /// Called at the beginning of each turn of the loop, and so also first of all when the process or
  /// its machine has been stopped for a while.
  func check() {
    switch state {
    case .alive:
      let age = now() - renewal
      if age >= Self.standDownTime { standDown() } else if age >= Self.silenceTime { fallSilent() }
    case .silent: if now() - renewal >= Self.standDownTime { standDown() }
    case .away, .left: break
    }
  }

  /// Leaves the cluster, after all that was sent before. Others take over its matches at once.
  func leave(then done: @escaping () -> Void) {
    defer {
      state = .left
      timer?.cancel()
    }
    guard let life else { return done() }
    engine.run(.leave, life.node, String(life.incarnation)) { _ in done() }
  }

  private func tick() {
    timer = timers.schedule(after: Self.period) { [weak self] in self?.tick() }
    check()
    ask()
  }

  private func ask() {
    guard engine.isConnected, !isAsking else { return }
    switch state {
    case .away: join()
    case .alive(let life), .silent(let life): renew(life)
    case .left: break
    }
  }

  private func join() {
    isAsking = true
    willJoin { [weak self] in self?.beginLife() }
  }

  private func beginLife() {
    guard case .away = state else { return }
    let begin = now()
    let dead = namesake.flatMap { begin - $0.since >= NodeWatch.deathTime ? $0.entry.moment : nil }
    engine.run(
      .join, name, address, String(load()), String(lastIncarnation), dead ?? ""
    ) { [weak self] reply in
      guard let self else { return }
      isAsking = false
      guard case .away = state else { return }
      if let entry = reply?.text.flatMap(NodeEntry.init) { return didMeet(entry) }
      guard let incarnation = reply?.number else { return }
      namesake = nil
      let life = Life(node: name, incarnation: incarnation)
      lastIncarnation = max(lastIncarnation, incarnation)
      renewal = begin
      counter = 0
      state = .alive(life)
      // Without matches there is nothing to compare.
      needsRelease = false
      onJoin(life)
      ask()
    }
  }

  /// A node with this name stands in the engine, at another address. It is alive if its counter
  /// goes up; otherwise it has died there, and this process may take the name.
  private func didMeet(_ entry: NodeEntry) {
    guard let before = namesake else { return namesake = (entry, now()) }
    guard before.entry.moment != entry.moment else { return }
    state = .left
    timer?.cancel()
    onNameInUse(entry.address)
  }

  private func renew(_ life: Life) {
    isAsking = true
    counter += 1
    let begin = now()
    engine.run(
      .renew, name, String(life.incarnation), String(counter), String(load()), address,
      confirmed: .never
    ) { [weak self] reply in
      guard let self, self.life == life else { return }
      isAsking = false
      guard let reply else { return }
      switch reply.number {
      case 0: return standDown()
      case .some:
        state = .left
        timer?.cancel()
        return onReplaced()
      case nil: break
      }
      guard let parts = reply.elements, parts.count == 2 else { return }
      didRenew(life, at: begin, nodes: parts[0], lives: parts[1])
    }
  }

  private func didRenew(
    _ life: Life, at begin: Duration, nodes: RedisReply, lives: RedisReply
  ) {
    // The answer may be so old that it says nothing.
    guard now() - begin < Self.silenceTime else { return }
    renewal = begin
    roundTrip = now() - begin
    let entries = Self.entries(in: nodes)
    watch.observe(entries, at: now())
    lastIncarnation = max(lastIncarnation, entries.values.map(\.incarnation).max() ?? 0)
    if case .silent = state { needsRelease = true }
    state = .alive(life)
    if needsRelease {
      needsRelease = false
      onRelease()
    }
    for (name, entry) in watch.dead.sorted(by: { $0.key < $1.key }) where name != self.name {
      bury(name, entry)
    }
    let ended = (lives.elements ?? []).compactMap { $0.text.flatMap(Life.init) }
      .filter { watch[$0.node]?.incarnation != $0.incarnation }
    onLook(ended)
  }

  private func bury(_ name: String, _ entry: NodeEntry) {
    engine.run(.bury, name, String(entry.incarnation), String(entry.counter)) { _ in }
  }

  private func fallSilent() {
    guard case .alive(let life) = state else { return }
    state = .silent(life)
    onHold()
  }

  private func standDown() {
    state = .away
    isAsking = false
    onStandDown()
    // The next life begins with what Sentinels say now. If this process was stopped, the primary at
    // the other end may have been replaced meanwhile, and what it confirms is lost.
    engine.reconnect()
  }

  private static func entries(in reply: RedisReply) -> [String: NodeEntry] {
    let words = (reply.elements ?? []).map { $0.text ?? "" }
    var entries: [String: NodeEntry] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      entries[words[index]] = NodeEntry(words[index + 1])
    }
    return entries
  }
}
