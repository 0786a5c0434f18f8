import Shared

/// Returns memory to the system after the load of the server has dropped. The C library keeps freed
/// memory, which after an attack is most of the process.
///
/// It checks the load a few times after connections have closed, and then stops, so that an idle
/// server stays idle.
final class MemoryTrimmer {
  /// Below this number of connections and matches, the server keeps its memory.
  static let minPeak = 100
  /// The delay before the first check. It doubles before each further check.
  static let firstDelay: Duration = .seconds(10)
  /// The number of checks; the last one is about 10 minutes after the first. Sessions, and so their
  /// matches, end later than their connections.
  static let maxChecks = 6

  private let timers: any Timers
  private let load: () -> Int
  private let trim: () -> Void
  /// The largest load since memory was returned.
  private var peak = 0
  private var timer: LoopTimer?

  /// `load` returns the number of connections and matches.
  init(timers: any Timers, load: @escaping () -> Int, trim: @escaping () -> Void) {
    self.timers = timers
    self.load = load
    self.trim = trim
  }

  func connectionDidClose() {
    peak = max(peak, load() + 1)
    if timer == nil { beginChecks() }
  }

  private func beginChecks() {
    if peak >= Self.minPeak { check(after: Self.firstDelay, checksLeft: Self.maxChecks) }
  }

  private func check(after delay: Duration, checksLeft: Int) {
    timer = timers.schedule(after: delay) { [unowned self] in
      timer = nil
      if load() < peak / 2 {
        trim()
        peak = load()
        beginChecks()
      } else if checksLeft > 1 {
        check(after: delay * 2, checksLeft: checksLeft - 1)
      }
    }
  }
}
