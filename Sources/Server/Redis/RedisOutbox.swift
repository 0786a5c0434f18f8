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

  /// How long it may take until the replicas are asked.
  static let confirmTime: Duration = .milliseconds(5)

  /// A class, so that it can be found again.
  private final class Post {
    let commands: RedisCommands

    init(_ commands: RedisCommands) { self.commands = commands }
  }

  private let engine: any Redis
  private let timers: any Timers
  /// What has to be sent again after a new connection, in order.
  private var unconfirmed: [Post] = []
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
    let post = Post(commands)
    unconfirmed.append(post)
    if isKept {
      removeOld()
      kept.append((commands, timers.now))
    }
    if engine.isConnected { send(commands, for: post) }
  }

  /// There is a new connection to the engine.
  func didConnect() {
    removeOld()
    var all = RedisCommands()
    for (commands, _) in kept { all.add(commands) }
    var commands = RedisCommands()
    for post in unconfirmed { commands.add(post.commands) }
    all.add(commands)
    guard !all.isEmpty else { return }
    let post = Post(commands)
    unconfirmed = [post]
    send(all, for: post)
  }

  /// Forgets what is not carried out.
  func removeAll() {
    generation += 1
    unconfirmed = []
    kept = []
  }

  private func removeOld() {
    let isNew = { [now = timers.now] (time: Duration) in now - time <= Self.keepTime }
    kept.removeFirst(kept.firstIndex { isNew($0.time) } ?? kept.count)
  }

  private func send(_ commands: RedisCommands, for post: Post) {
    let generation = generation
    engine.send(commands, confirmed: .soon(within: Self.confirmTime)) { [weak self] replies in
      // Without replies it goes out over the next connection.
      guard let self, let replies else { return }
      unconfirmed.removeAll { $0 === post }
      if replies.contains(where: \.isError) { sendAgain(commands, generation) }
    }
  }

  /// Some of the commands were refused, and the others may be repeated.
  private func sendAgain(_ commands: RedisCommands, _ generation: Int) {
    timers.schedule(after: Self.refusalDelay) { [weak self] in
      guard let self, generation == self.generation else { return }
      post(commands, isKept: false)
    }
  }
}
