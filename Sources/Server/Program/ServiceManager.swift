import Foundation
import Shared

/// Tells the service manager that has started the server how the server is: systemd's protocol of
/// `sd_notify(3)`.
final class ServiceManager {
  /// The time between two statuses.
  static let statusInterval: Duration = .seconds(10)
  /// The time that the manager allows for each file of the journal.
  static let recoveryTime: Duration = .seconds(120)

  private let notifier: ServiceNotifier
  /// How often the manager wants a sign of life; `nil` if it wants none.
  private let watchdog: Duration?
  private var status = ""

  /// Returns `nil` if no manager has started the server, or it does not want to be told.
  init?(
    _ environment: [String: String] = ProcessInfo.processInfo.environment,
    process: Int32 = getpid()
  ) {
    guard let notifier = ServiceNotifier(in: environment) else { return nil }
    self.notifier = notifier
    watchdog = ServiceNotifier.watchdogInterval(in: environment, process: process)
  }

  deinit { notifier.close() }

  /// The server reads a file of the journal.
  func willRead(_ index: Int, of count: Int) {
    notifier.send(
      "STATUS=Recovering matches: file \(index + 1) of \(count).\n"
        + "EXTEND_TIMEOUT_USEC=\(Self.recoveryTime.microseconds)")
  }

  /// The start waits, which it says again within `recoveryTime`.
  func isWaiting(for what: String) {
    notifier.send("STATUS=\(what)\nEXTEND_TIMEOUT_USEC=\(Self.recoveryTime.microseconds)")
  }

  /// The start waits, because earlier ones have failed.
  func holdsOff(for time: Duration, after starts: Int) {
    let seconds = max(1, Int(time / .seconds(1)))
    notifier.send(
      "STATUS=\(Count.of(starts, "start")) failed: the next one follows in \(seconds) s.\n"
        + "EXTEND_TIMEOUT_USEC=\(Self.recoveryTime.microseconds)")
  }

  /// The server listens. From now on `status` is called from time to time, and the manager gets its
  /// result if it has changed, and signs of life.
  func isReady(_ timers: any Timers, status: @escaping () -> String) {
    self.status = status()
    notifier.send("READY=1\nSTATUS=\(self.status)")
    every(Self.statusInterval, timers) { [unowned self] in
      let new = status()
      if new != self.status { notifier.send("STATUS=\(new)") }
      self.status = new
    }
    if let watchdog {
      every(watchdog / 2, timers) { [unowned self] in notifier.send("WATCHDOG=1") }
    }
  }

  /// `now` is the time of the system's monotonic clock.
  func willReload(at now: Duration) {
    notifier.send("RELOADING=1\nMONOTONIC_USEC=\(now.microseconds)")
  }

  func didReload() { notifier.send("READY=1") }

  func willStop(within time: Duration) {
    notifier.send(
      "STOPPING=1\nSTATUS=Stopping.\nEXTEND_TIMEOUT_USEC=\(time.microseconds)")
  }

  private func every(_ interval: Duration, _ timers: any Timers, _ action: @escaping () -> Void) {
    timers.schedule(after: interval) { [weak self] in
      guard let self else { return }
      action()
      every(interval, timers, action)
    }
  }
}

extension Duration {
  fileprivate var microseconds: Int { Int(self / .microseconds(1)) }
}
