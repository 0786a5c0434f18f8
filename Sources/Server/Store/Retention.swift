import Foundation
import Shared

/// Removes the lines of old matches from the archive. Results and ratings stay.
final class Retention {
  /// How many matches lose their lines at once. Other work of the archive waits for them.
  static let batch = 200
  /// The time between two looks for old matches.
  static let interval: Duration = .seconds(3_600)
  /// The time between two batches.
  static let pause: Duration = .seconds(1)

  private let archive: ArchiveQueue
  private let days: Int
  private let timers: any Timers
  private let now: () -> Date

  /// Removes lines from now on. `days` is how long they are kept after the end of their match.
  init(_ archive: ArchiveQueue, days: Int, timers: any Timers, now: @escaping () -> Date) {
    self.archive = archive
    self.days = days
    self.timers = timers
    self.now = now
    schedule(after: .zero)
  }

  private func schedule(after delay: Duration) {
    timers.schedule(after: delay) { [weak self] in self?.removeSome() }
  }

  private func removeSome() {
    let end = Int(now().timeIntervalSince1970 * 1_000) - days * 86_400_000
    archive.perform {
      try $0.archive.removeLines(endedBefore: end, limit: Self.batch)
    } then: { [weak self] in
      // A failure is one of the disk. There is time to try again.
      let removed = (try? $0.get()) ?? 0
      self?.schedule(after: removed == Self.batch ? Self.pause : Self.interval)
    }
  }
}

extension Archive {
  /// Removes the lines of the oldest matches that ended before a time, up to a number of matches.
  ///
  /// - Returns: of how many.
  func removeLines(endedBefore end: Int, limit: Int) throws(DatabaseError) -> Int {
    try database.statement(
      """
      UPDATE matches SET lines = NULL, checksum = NULL WHERE rowid IN
        (SELECT rowid FROM matches WHERE ended < ? AND lines IS NOT NULL LIMIT ?)
      """
    ).run(.integer(end), .integer(limit))
    return database.changes
  }
}
