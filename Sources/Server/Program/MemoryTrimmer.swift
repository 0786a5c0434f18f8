import Shared

/// Gives memory back to the system after the server has been much larger than it is. The C library
/// keeps what was freed for later, which after a crowd or an attack is most of what there is.
///
/// It looks only after connections have closed, some times and then no more, so that an idle server
/// stays idle.
final class MemoryTrimmer {
  /// A server that never had that many connections and matches keeps its memory.
  static let minPeak = 100
  /// When it looks for the first time; each further time it waits twice as long.
  static let firstDelay: Duration = .seconds(10)
  /// Its last look is 10 minutes after the first: sessions that nobody resumes end later than their
  /// connections, and their matches with them.
  static let looks = 6

  private let timers: any Timers
  private let load: () -> Int
  private let trim: () -> Void
  /// The largest load since memory was given back.
  private var peak = 0
  private var timer: LoopTimer?

  /// `load` returns how many connections and matches there are.
  init(timers: any Timers, load: @escaping () -> Int, trim: @escaping () -> Void) {
    self.timers = timers
    self.load = load
    self.trim = trim
  }

  func connectionDidClose() {
    peak = max(peak, load() + 1)
    if timer == nil { beginToLook() }
  }

  private func beginToLook() {
    if peak >= Self.minPeak { look(after: Self.firstDelay, looksLeft: Self.looks) }
  }

  private func look(after delay: Duration, looksLeft: Int) {
    timer = timers.schedule(after: delay) { [unowned self] in
      timer = nil
      if load() < peak / 2 {
        trim()
        peak = load()
        beginToLook()
      } else if looksLeft > 1 {
        look(after: delay * 2, looksLeft: looksLeft - 1)
      }
    }
  }
}
