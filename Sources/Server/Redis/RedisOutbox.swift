import Shared

/// Commands that must be carried out, but for which nobody waits. They go out at once, and again
/// after each new connection until the replicas of the engine have them. For a while they go out
/// again even then, because a failover may lose what was confirmed. So they must be such that a
/// repetition changes nothing.
final class RedisOutbox {
  /// How long what was confirmed still goes out over new connections.
  static let keepTime: Duration = .seconds(10)
  /// The delay before commands that were refused go out again, as by an engine without memory.
  static let refusalDelay: Duration = .milliseconds(500)

  private let engine: any Redis
  private let timers: any Timers
  /// What has to be sent again after a new connection, without `confirming`.
  private var unconfirmed = RedisCommands()
  /// What the replicas are asked for now; `nil` if they are asked for nothing.
  private var confirming: RedisCommands?
  /// What may have been lost all the same, and since when it is kept.
  private var kept: [(commands: RedisCommands, time: Duration)] = []
  private var generation = 0

  init(engine: any Redis, timers: any Timers) {
    self.engine = engine
    self.timers = timers
  }

  /// `isKept` is false for a script that must not be repeated once it was confirmed.
  func post(_ script: RedisScript, _ arguments: [String], isKept: Bool = true) {
    var commands = RedisCommands()
    commands.add(script, arguments: arguments)
    post(commands, isKept: isKept)
  }

  func post(_ words: String...) {
    var commands = RedisCommands()
    commands.add(words)
    post(commands, isKept: true)
  }

  private func post(_ commands: RedisCommands, isKept: Bool) {
    unconfirmed.add(commands)
    if isKept {
      removeOld()
      kept.append((commands, timers.now))
    }
    if engine.isConnected { send(commands) }
  }

  /// There is a new connection to the engine.
  func didConnect() {
    removeOld()
    var all = RedisCommands()
    for (commands, _) in kept { all.add(commands) }
    all.add(unconfirmed)
    if !all.isEmpty { send(all) }
  }

  /// Forgets what is not carried out.
  func removeAll() {
    generation += 1
    unconfirmed = RedisCommands()
    confirming = nil
    kept = []
  }

  private func removeOld() {
    let isNew = { [now = timers.now] (time: Duration) in now - time <= Self.keepTime }
    kept.removeFirst(kept.firstIndex { isNew($0.time) } ?? kept.count)
  }

  private func send(_ commands: RedisCommands) {
    let generation = generation
    engine.send(commands, durably: false) { [weak self] replies in
      guard replies?.contains(where: \.isError) == true else { return }
      self?.sendAgain(commands, generation)
    }
    confirm()
  }

  /// Some of the commands were refused, and the others may be repeated.
  private func sendAgain(_ commands: RedisCommands, _ generation: Int) {
    timers.schedule(after: Self.refusalDelay) { [weak self] in
      guard let self, generation == self.generation else { return }
      post(commands, isKept: false)
    }
  }

  /// Waits until the replicas have all that was sent before.
  private func confirm() {
    guard confirming == nil else { return }
    confirming = unconfirmed
    unconfirmed = RedisCommands()
    let generation = generation
    engine.ask("PING", durably: true) { [weak self] reply in
      guard let self, generation == self.generation, let commands = confirming else { return }
      confirming = nil
      guard reply == nil else {
        if !unconfirmed.isEmpty { confirm() }
        return
      }
      var all = commands
      all.add(unconfirmed)
      unconfirmed = all
    }
  }
}
