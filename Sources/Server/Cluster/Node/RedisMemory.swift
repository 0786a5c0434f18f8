import Shared

/// Watches how full the engine is. From 85 % on no game begins, so that the games that run can end
/// in what is left.
final class RedisMemory {
  static let period: Duration = .seconds(5)
  static let maxShare = 0.85

  /// Called when there is no more room for new games, and when there is again.
  var onChange: (RedisUsage) -> Void = { _ in }
  private let engine: any Redis
  private let timers: any Timers
  private var last: Duration?
  private(set) var hasRoom = true
  /// `nil` until the first answer.
  private(set) var usage: RedisUsage?

  init(engine: any Redis, timers: any Timers) {
    self.engine = engine
    self.timers = timers
  }

  /// Called after each renewal.
  func look() {
    guard last.map({ timers.now - $0 >= Self.period }) ?? true else { return }
    last = timers.now
    engine.ask("INFO", "memory", "replication") { [weak self] reply in
      guard let self, let text = reply?.text else { return }
      let usage = RedisUsage(text)
      self.usage = usage
      guard usage.hasRoom != hasRoom else { return }
      hasRoom = usage.hasRoom
      onChange(usage)
    }
  }
}

/// How much memory the engine uses, in bytes, and how many replicas follow it.
struct RedisUsage: Equatable {
  let used: Int
  /// `maxmemory`; 0 for none.
  let limit: Int
  let replicas: Int

  /// Takes the answer to `INFO memory replication`. What is absent counts as 0.
  init(_ text: String) {
    used = text.infoField("used_memory").flatMap { Int($0) } ?? 0
    limit = text.infoField("maxmemory").flatMap { Int($0) } ?? 0
    replicas = text.infoField("connected_slaves").flatMap { Int($0) } ?? 0
  }

  var hasRoom: Bool { limit <= 0 || Double(used) < Double(limit) * RedisMemory.maxShare }
}
