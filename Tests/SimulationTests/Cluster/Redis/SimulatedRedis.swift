import Shared

@testable import Server

/// A primary with two replicas, and Sentinels that replace it when it is silent.
final class SimulatedRedis {
  /// How long the primary is silent before it is replaced.
  static let downAfter: Duration = .milliseconds(1_500)
  static let count = 3

  let servers: [SimulatedRedisServer]
  /// The primary in the minds of all Sentinels together, and in that of each.
  private(set) var primary: SimulatedRedisServer
  private var views: [(server: SimulatedRedisServer, epoch: Int)]
  /// The Sentinel that is replacing the primary.
  private var replacer: Int?
  /// The number of failovers.
  private(set) var failovers = 0
  /// When the engine may have lost something the last time: at a failover, or a deletion.
  private(set) var lossTime: Duration?
  /// Called in the moment of a promotion, with the primary before.
  var onPromotion: (_ old: SimulatedRedisServer) -> Void = { _ in }
  private let time: SimulatedTime
  private var isReplacing = false
  private var isSearching = false

  init(_ time: SimulatedTime) {
    self.time = time
    servers = (1...Self.count).map { SimulatedRedisServer("engine\($0)", time: time) }
    primary = servers[0]
    views = Array(repeating: (servers[0], 0), count: Self.count)
    for server in servers.dropFirst() { server.follow(servers[0]) }
    watch()
  }

  /// The URL by which nodes find it.
  static let address = "redis+sentinel://sentinel1,sentinel2,sentinel3/main"

  /// Whether it serves, and confirms what is written.
  var isGood: Bool {
    primary.isRunning && primary.isPrimary && primary.hasReplica && !isReplacing
      && views.allSatisfy { $0.server === primary }
  }

  /// Takes a connection to a host. Returns false if it is refused.
  func accept(_ wire: SimulatedWire, at host: String) -> Bool {
    if host.hasPrefix("sentinel"), let number = Int(host.dropFirst(8)) {
      answer(wire, sentinel: number - 1)
      return true
    }
    guard let server = servers.first(where: { $0.name == host }), server.state != .dead else {
      return false
    }
    server.accept(wire)
    return true
  }

  private func answer(_ wire: SimulatedWire, sentinel: Int) {
    let client = RedisClient(wire)
    wire.onReceive = { [weak self] bytes in
      guard let self else { return }
      client.append(bytes)
      while !client.commands.isEmpty {
        let command = client.commands.removeFirst()
        let (server, epoch) = views[sentinel]
        if command.prefix(2) == ["SENTINEL", "MASTER"] {
          let fields = [
            "down-after-milliseconds", "\(Self.downAfter.milliseconds)", "ip", server.name, "port",
            "6379", "config-epoch", "\(epoch)", "flags",
            replacer == sentinel ? "master,failover_in_progress" : "master",
          ]
          client.send(.array(fields.map(RedisData.bulk)))
        } else {
          client.send(.array([server.name, "6379"].map(RedisData.bulk)))
        }
      }
    }
  }

  // MARK: Sentinels

  private func watch() {
    time.after(.milliseconds(100)) { [weak self] in
      guard let self else { return }
      if !primary.isRunning, primary.age >= Self.downAfter, !isReplacing { replace() }
      repairRoles()
      watch()
    }
  }

  private func replace() {
    isReplacing = true
    replacer = time.random.int(0...views.count - 1)
    time.after(.milliseconds(50)...Duration.milliseconds(1_500)) { [weak self] in
      guard let self else { return }
      // One that has not copied the primary's data has a small offset, and is not chosen.
      let others = servers.filter { $0 !== self.primary && $0.isRunning && $0.isSynced }
      guard let newest = others.map(\.offset).max() else {
        (isReplacing, replacer) = (false, nil)
        return
      }
      // What Sentinels know of the offsets may be a second old.
      let best = others.filter { $0.offset == newest || self.time.random.happens(percent: 20) }
      promote(time.random.pick(best) ?? others[0])
    }
  }

  private func promote(_ server: SimulatedRedisServer) {
    let old = primary
    onPromotion(old)
    primary = server
    failovers += 1
    lossTime = time.now
    server.promote()
    let epoch = failovers
    for index in views.indices {
      guard index != replacer else {
        views[index] = (server, epoch)
        continue
      }
      time.after(.zero...Duration.seconds(1)) { [weak self] in
        guard let self, views[index].epoch < epoch else { return }
        views[index] = (server, epoch)
      }
    }
    replacer = nil
    for other in servers where other !== server && other !== old {
      time.after(.milliseconds(50)...Duration.milliseconds(1_500)) { [weak self] in
        guard self?.primary === server else { return }
        other.follow(server)
      }
    }
    time.after(.seconds(1)) { [weak self] in self?.isReplacing = false }
  }

  /// A primary that should be a replica becomes one some time after it is back.
  private func repairRoles() {
    guard !isReplacing, !isSearching, primary.isRunning else { return }
    for server in servers where server !== primary && server.isRunning {
      guard server.leader !== primary else { continue }
      isSearching = true
      let right = primary
      time.after(.milliseconds(100)...Duration.seconds(5)) { [weak self] in
        guard let self else { return }
        isSearching = false
        if primary === right, server.leader !== right { server.follow(right) }
      }
    }
  }

  // MARK: Failures

  /// Kills all servers. They start again after a time, with what they had.
  func goDown(for duration: Duration) {
    for server in servers { server.kill() }
    time.after(duration) { [weak self] in
      for server in self?.servers ?? [] { server.start() }
    }
  }

  func kill(_ server: SimulatedRedisServer, for duration: Duration) {
    server.kill()
    time.after(duration) { server.start() }
  }

  /// Lets a replica be behind, and then kills the primary together with the other one, which has
  /// confirmed more. Returns for how long that lasts.
  func killNewest(for duration: Duration) -> Duration {
    let replicas = servers.filter { $0 !== primary && $0.isRunning && $0.isSynced }
    guard let behind = time.random.pick(replicas) else { return .zero }
    behind.replicationDelay = .milliseconds(500)...Duration.seconds(2)
    let delay = time.random.duration(.seconds(1)...Duration.seconds(4))
    time.after(delay) { [weak self] in
      guard let self else { return }
      for server in servers where server !== behind { kill(server, for: duration) }
      behind.replicationDelay = SimulatedRedisServer.usualDelay
    }
    return delay + duration
  }

  func freeze(_ server: SimulatedRedisServer, for duration: Duration) {
    server.freeze()
    time.after(duration) { server.wake() }
  }

  /// Freezes the primary, which wakes in the moment in which another one takes its place.
  func freezePrimaryUntilPromotion() {
    let server = primary
    server.freeze()
    let before = onPromotion
    onPromotion = { [weak self] old in
      before(old)
      guard let self, old === server else { return }
      onPromotion = before
      time.after(.zero...Duration.milliseconds(600)) { server.wake() }
    }
    // Nobody may be there to take its place.
    time.after(.seconds(20)) { server.wake() }
  }

  /// Lets everything take its time for a while.
  func slowDown(for duration: Duration) {
    let slowness = time.random.duration(.milliseconds(10)...Duration.milliseconds(700))
    for server in servers { server.maxSlowness = slowness }
    time.after(duration) { [weak self] in
      for server in self?.servers ?? [] { server.maxSlowness = .zero }
    }
  }

  /// Lets the primary refuse one entry of a match now and then, and take the ones behind it.
  func refuseEntries(for duration: Duration) {
    let share = time.random.int(5...40)
    for server in servers { server.refusals = share }
    time.after(duration) { [weak self] in
      for server in self?.servers ?? [] { server.refusals = 0 }
    }
  }

  /// Deletes the stream of a match, as somebody does by mistake.
  func delete(_ match: String) {
    lossTime = time.now
    primary.delete("j:\(match)")
  }

  /// Lets replicas be behind for a while.
  func delayReplicas(for duration: Duration) {
    let delay = time.random.duration(.milliseconds(50)...Duration.seconds(2))
    for server in servers { server.replicationDelay = .milliseconds(1)...delay }
    time.after(duration) { [weak self] in
      for server in self?.servers ?? [] {
        server.replicationDelay = SimulatedRedisServer.usualDelay
      }
    }
  }
}
