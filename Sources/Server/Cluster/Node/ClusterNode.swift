import Shared

/// This process as a node of the cluster: it shows each second that it is alive, sees who else is,
/// and stands down when it cannot.
final class ClusterNode {
  static let period: Duration = .seconds(1)

  /// Called before a life begins, which it does when the argument is called.
  var willJoin: (@escaping () -> Void) -> Void = { $0() }
  /// Called with what the cluster has to do; not with a burial, which the node does by itself.
  var perform: (NodeState.Action) -> Void = { _ in }

  /// Called when this node has removed another one, which has died.
  var didBury: (_ name: String, _ entry: NodeEntry) -> Void = { _, _ in }

  private let address: String
  private let engine: any Redis
  private let timers: any Timers
  private let load: () -> Int
  /// A clock that goes on while the machine sleeps.
  private let now: () -> Duration
  private(set) var state: NodeState
  private var isAsking = false
  /// The number of the last renewal of this life.
  private var counter = 0
  private var timer: LoopTimer?

  init(
    _ name: String, address: String, engine: any Redis, timers: any Timers,
    load: @escaping () -> Int, now: @escaping () -> Duration
  ) {
    state = NodeState(name: name)
    self.address = address
    self.engine = engine
    self.timers = timers
    self.load = load
    self.now = now
  }

  deinit { timer?.cancel() }

  var name: String { state.name }
  var life: Life? { state.life }
  var watch: NodeWatch { state.watch }

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

  func start() {
    guard timer == nil else { return }
    tick()
  }

  /// There is a new connection to the engine.
  func didConnect() {
    isAsking = false
    state.didConnect()
    ask()
  }

  /// Called at the beginning of each turn of the loop, and so also first of all when the process or
  /// its machine has been stopped for a while.
  func check() {
    if let action = state.check(at: now()) { carryOut(action) }
  }

  /// Leaves the cluster, after all that was sent before. Others take over its matches at once.
  func leave(then done: @escaping () -> Void) {
    defer {
      state.leave()
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
    if let life {
      renew(life)
    } else if state.isAway {
      isAsking = true
      willJoin { [weak self] in self?.join() }
    }
  }

  private func join() {
    guard state.isAway else { return }
    let begin = now()
    engine.run(
      .join, name, address, String(load()), String(state.lastIncarnation),
      state.deadNamesake(at: begin) ?? ""
    ) { [weak self] reply in
      guard let self else { return }
      isAsking = false
      if let action = state.didJoin(reply, sent: begin, at: now()) { carryOut(action) }
    }
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
      for action in state.didRenew(life, reply, sent: begin, at: now()) { carryOut(action) }
    }
  }

  private func carryOut(_ action: NodeState.Action) {
    switch action {
    case .bury(let name, let entry):
      engine.run(.bury, name, String(entry.incarnation), String(entry.counter)) {
        [weak self] reply in
        if reply?.number == 1 { self?.didBury(name, entry) }
      }
    case .join:
      counter = 0
      perform(action)
      ask()
    case .standDown:
      isAsking = false
      perform(action)
      // The next life begins with what Sentinels say now. If this process was stopped, the primary
      // at the other end may have been replaced meanwhile, and what it confirms is lost.
      engine.reconnect()
    case .standDownForGood, .reportNameInUse:
      timer?.cancel()
      perform(action)
    case .hold, .release, .look: perform(action)
    }
  }
}
