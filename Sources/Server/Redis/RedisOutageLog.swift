import Shared

/// Logs each time without the engine: when it begins, once a minute while it lasts, and when it is
/// over. So an outage of hours hides nothing else in the report of the morning.
final class RedisOutageLog {
  static let repeatTime: Duration = .seconds(60)

  private struct Outage {
    let begin: Duration
    var lastWarning: Duration
  }

  private let timers: any Timers
  private let log: Log
  private var outage: Outage?
  /// Until a new connection has lasted so long that the outage is over.
  private var timer: LoopTimer?

  init(timers: any Timers, log: Log) {
    self.timers = timers
    self.log = log
  }

  deinit { timer?.cancel() }

  /// The connection to the engine has ended, or an attempt to connect has failed.
  func didDisconnect(because reason: String) {
    timer?.cancel()
    let now = timers.now
    if let outage, now - outage.lastWarning < Self.repeatTime { return }
    outage = Outage(begin: outage?.begin ?? now, lastWarning: now)
    log.write(.warning, "engineLost", ["reason": .text(reason)])
  }

  /// There is a new connection, to this host.
  func didConnect(to primary: RedisAddress.Place?) {
    guard let outage else { return }
    let length = timers.now - outage.begin
    timer = timers.schedule(after: RedisLink.steadyTime) { [weak self] in
      self?.outage = nil
      self?.log.write(
        .warning, "engineAvailable",
        ["engine": .text(primary.map { "\($0)" } ?? ""), "ms": .number(length.wholeMilliseconds)])
    }
  }
}
