@testable import Server

/// What an engine tells the world that watches it.
protocol RedisObserver: AnyObject {
  /// An entry was added to the stream of a match, after `last`.
  func server(
    _ server: SimulatedRedisServer, didAdd entry: RedisData.Entry, after last: RedisData.Entry?,
    to match: String)
  /// A server has thrown away what it had for what another has.
  func server(_ server: SimulatedRedisServer, didReplace old: RedisData)
  func fail(_ text: String)
}

/// One simulated Redis server: its data, its connections and its replicas.
final class SimulatedRedisServer {
  enum State {
    case running, frozen, dead
  }

  /// A replica, as its primary sees it.
  private final class Follower {
    let server: SimulatedRedisServer
    var acknowledged: Int
    /// The last write that has left a primary that is frozen or dead.
    var sent = Int.max
    var received: Int
    var lastArrival: Duration = .zero

    init(_ server: SimulatedRedisServer, at offset: Int) {
      self.server = server
      acknowledged = offset
      received = offset
    }
  }

  static let usualDelay: ClosedRange<Duration> = .microseconds(100)...Duration.milliseconds(3)
  /// How long a replica counts as good without a word from it.
  private static let maxLag: Duration = .seconds(10)

  let name: String
  private(set) var state = State.running
  private(set) var data = RedisData()
  /// The server that it copies; `nil` for a primary.
  private(set) var leader: SimulatedRedisServer?
  /// Whether it has a copy of its leader's data.
  private(set) var isSynced = false
  /// The number of the last write.
  private(set) var offset = 0
  /// How long its replies take, while it is slow.
  var maxSlowness: Duration = .zero
  /// How long what its primary has written takes to it.
  var replicationDelay = SimulatedRedisServer.usualDelay
  /// How many of 100 entries of matches and scripts it refuses, because its memory is full.
  var refusals = 0
  weak var observer: (any RedisObserver)?
  private let time: SimulatedTime
  /// How much its clock differs from that of others.
  private let skew: Duration
  private var stateTime: Duration
  private var followers: [Follower] = []
  private var clients: [RedisClient] = []
  /// What has arrived while it was frozen.
  private var inbox: [() -> Void] = []
  /// Goes up with each role and each start, so that what belongs to those before is dropped.
  private var epoch = 0

  init(_ name: String, time: SimulatedTime) {
    self.name = name
    self.time = time
    skew = time.random.duration(.zero...Duration.seconds(6))
    stateTime = time.now
  }

  var isPrimary: Bool { leader == nil }
  var isRunning: Bool { state == .running }
  private var clock: Duration { time.now + skew }

  /// Whether what it writes is confirmed soon.
  var hasReplica: Bool {
    followers.contains { $0.server.isRunning && $0.acknowledged >= offset - 100 }
  }

  /// How long it has been in its state.
  var age: Duration { time.now - stateTime }

  // MARK: Failures

  func freeze() {
    guard state == .running else { return }
    (state, stateTime) = (.frozen, time.now)
    stopSending()
  }

  /// Goes on after it was frozen, with all that has arrived meanwhile.
  func wake() {
    guard state == .frozen else { return }
    (state, stateTime) = (.running, time.now)
    for follower in followers { follower.sent = .max }
    let arrived = inbox
    inbox = []
    for action in arrived { whenRunning(action) }
  }

  func kill() {
    guard state != .dead else { return }
    if state == .running { stopSending() }
    (state, stateTime) = (.dead, time.now)
    inbox = []
    changeRole()
  }

  /// Starts again, with what it had and as what it was.
  func start() {
    guard state == .dead else { return }
    (state, stateTime) = (.running, time.now)
    if let leader { follow(leader) }
  }

  /// Does something now or, if it is frozen, when it wakes. A dead one does nothing.
  private func whenRunning(_ action: @escaping () -> Void) {
    switch state {
    case .running: action()
    case .frozen: inbox.append(action)
    case .dead: break
    }
  }

  private func changeRole() {
    epoch += 1
    isSynced = false
    followers = []
    for client in clients { client.wire.close() }
    clients = []
  }

  /// Deletes a key, in the replicas too.
  func delete(_ key: String) {
    guard isRunning, isPrimary else { return }
    let old = data
    carryOut(["DEL", key], at: clock)
    replicate([["DEL", key]], at: clock)
    observer?.server(self, didReplace: old)
  }

  // MARK: Replication

  func promote() {
    leader = nil
    changeRole()
  }

  /// Becomes a replica, which throws away what it has as soon as it has a copy.
  func follow(_ other: SimulatedRedisServer) {
    whenRunning { [self] in
      leader = other
      changeRole()
      copy(from: other, epoch)
    }
  }

  private func copy(from other: SimulatedRedisServer, _ epoch: Int) {
    time.after(.milliseconds(20)...Duration.milliseconds(300)) { [self] in
      guard epoch == self.epoch else { return }
      guard state == .running, other.state == .running, other.isPrimary else {
        return copy(from: other, epoch)
      }
      let (copied, offset) = (other.data, other.offset)
      other.followers.removeAll { $0.server === self }
      other.followers.append(Follower(self, at: offset))
      let old = data
      (data, self.offset, isSynced) = (copied, offset, true)
      observer?.server(self, didReplace: old)
    }
  }

  /// Some of the last writes have not left for a replica when the process stops.
  private func stopSending() {
    for follower in followers { follower.sent = time.random.int(follower.received...offset) }
  }

  /// Sends writes to all replicas, which carry them out a little later.
  private func replicate(_ writes: [[String]], at clock: Duration) {
    offset += 1
    let (offset, epoch) = (offset, epoch)
    for follower in followers {
      follower.lastArrival = max(
        follower.lastArrival, time.now + time.random.duration(follower.server.replicationDelay))
      let followerEpoch = follower.server.epoch
      let deliver = { [self] in
        follower.received = offset
        receive(writes, at: clock, offset, follower, followerEpoch, epoch)
      }
      time.after(follower.lastArrival - time.now) { [self] in
        guard offset > follower.sent else { return deliver() }
        whenRunning { [self] in
          if epoch == self.epoch { deliver() }
        }
      }
    }
  }

  /// A replica receives writes, and acknowledges them.
  private func receive(
    _ writes: [[String]], at clock: Duration, _ offset: Int, _ follower: Follower,
    _ followerEpoch: Int, _ epoch: Int
  ) {
    let server = follower.server
    server.whenRunning { [self] in
      // One that has started again has missed some, and takes no more before it has a copy.
      guard server.epoch == followerEpoch, server.leader === self, server.isSynced else { return }
      let old = writes.contains { $0[0] == "DEL" && $0[1].hasPrefix("j:") } ? server.data : nil
      for write in writes { server.carryOut(write, at: clock) }
      if let old { server.observer?.server(server, didReplace: old) }
      server.offset = offset
      time.after(.microseconds(50)...Duration.milliseconds(1)) { [self] in
        whenRunning { [self] in
          guard epoch == self.epoch else { return }
          follower.acknowledged = max(follower.acknowledged, offset)
          for client in clients where client.isBlocked { answerWait(of: client) }
        }
      }
    }
  }

  private func carryOut(_ write: [String], at clock: Duration) {
    do throws(RedisData.UnknownCommandError) {
      _ = try data.call(write, at: clock)
    } catch {
      observer?.fail("a replica cannot carry out \(error.text)")
    }
  }

  private var hasGoodReplica: Bool {
    followers.contains { $0.server.isRunning || $0.server.age < Self.maxLag }
  }

  // MARK: Connections

  /// Takes a new connection. The system does that also while the process is frozen.
  func accept(_ wire: SimulatedWire) {
    let client = RedisClient(wire)
    clients.append(client)
    wire.onReceive = { [weak self, weak client] bytes in
      self?.whenRunning {
        guard let self, let client, !client.isGone else { return }
        client.append(bytes)
        self.carryOut(of: client)
      }
    }
    wire.onEnd = { [weak self, weak client] in
      guard let self, let client else { return }
      // What a frozen process has not read may be lost with the connection, or not.
      if state == .frozen, time.random.happens(percent: 50) { client.isGone = true }
      whenRunning { [weak self] in self?.clients.removeAll { $0 === client } }
    }
  }

  private func carryOut(of client: RedisClient) {
    while !client.isBlocked, !client.commands.isEmpty {
      let command = client.commands.removeFirst()
      if command.first == "WAIT" {
        wait(command, client)
      } else {
        client.send(reply(to: command, client), after: time.random.duration(.zero...maxSlowness))
      }
    }
  }

  private func wait(_ command: [String], _ client: RedisClient) {
    guard isPrimary else { return client.send(.error("ERR WAIT cannot be used with replicas")) }
    client.isBlocked = true
    client.commands.insert(command, at: 0)
    answerWait(of: client)
    guard client.isBlocked, let limit = Int(command[2]) else { return }
    let epoch = epoch
    // Redis looks at such limits ten times a second.
    let delay =
      Duration.milliseconds(limit) + time.random.duration(.zero...Duration.milliseconds(100))
    let write = client.lastWrite
    time.after(delay) { [weak self, weak client] in
      self?.whenRunning {
        guard let self, let client, client.isBlocked, client.lastWrite == write,
          epoch == self.epoch
        else { return }
        self.answerWait(of: client, isOver: true)
      }
    }
  }

  private func answerWait(of client: RedisClient, isOver: Bool = false) {
    guard let needed = client.commands.first.flatMap({ Int($0[1]) }) else { return }
    let count = followers.count { $0.acknowledged >= client.lastWrite }
    guard count >= needed || isOver else { return }
    client.isBlocked = false
    client.commands.removeFirst()
    client.send(.integer(count), after: time.random.duration(.zero...maxSlowness))
    carryOut(of: client)
  }

  private func reply(to command: [String], _ client: RedisClient) -> RedisReply {
    switch command.first {
    case "ROLE": return .array([RedisData.bulk(isPrimary ? "master" : "slave")])
    case "EVAL": return evaluate(command, client)
    case let name?:
      let isWrite = RedisData.isWrite(name)
      if isWrite, let refusal = refusal() { return .error(refusal) }
      if name == "XADD", isOutOfMemory { return Self.outOfMemory }
      let match = name == "XADD" ? String(command[1].dropFirst(2)) : nil
      let last = match.flatMap { data.stream("j:\($0)")?.last }
      do throws(RedisData.UnknownCommandError) {
        let reply = try data.call(command, at: clock)
        if isWrite { didWrite([command], client) }
        if let match, case .bulk = reply { didAdd(to: match, after: last) }
        return reply
      } catch {
        observer?.fail("the engine does not know \(error.text)")
        return .error("ERR")
      }
    case nil: return .error("ERR")
    }
  }

  private func evaluate(_ command: [String], _ client: RedisClient) -> RedisReply {
    do throws(RedisData.UnknownCommandError) {
      let twin = try RedisTwins.twin(of: command[1])
      var run = RedisScriptRun(data, Array(command[3...]), at: clock)
      let reply = try twin(&run)
      guard !run.writes.isEmpty else { return reply }
      if let refusal = refusal() { return .error(refusal) }
      if isOutOfMemory { return Self.outOfMemory }
      let old = data
      data = run.data
      didWrite(run.writes, client)
      for write in run.writes where write[0] == "XADD" {
        let match = String(write[1].dropFirst(2))
        didAdd(to: match, after: old.stream("j:\(match)")?.last)
      }
      return reply
    } catch {
      observer?.fail("the engine does not know \(error.text)")
      return .error("ERR")
    }
  }

  private var isOutOfMemory: Bool { refusals > 0 && time.random.happens(percent: refusals) }

  private static let outOfMemory = RedisReply.error(
    "OOM command not allowed when used memory > 'maxmemory'.")

  /// Why nothing can be written now.
  private func refusal() -> String? {
    if !isPrimary { return "READONLY You can't write against a read only replica." }
    return hasGoodReplica ? nil : "NOREPLICAS Not enough good replicas to write."
  }

  private func didWrite(_ writes: [[String]], _ client: RedisClient) {
    replicate(writes, at: clock)
    client.lastWrite = offset
  }

  private func didAdd(to match: String, after last: RedisData.Entry?) {
    guard let entry = data.stream("j:\(match)")?.last else { return }
    observer?.server(self, didAdd: entry, after: last, to: match)
  }
}
