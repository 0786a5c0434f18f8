import Foundation
import Shared

/// Removes the lines of old matches from the archive. Results and ratings stay.
final class Retention {
  /// How many matches lose their lines at once. Other work of the archive waits for them.
  static let batch = 500
  /// The time between two looks for old matches.
  static let interval: Duration = .seconds(3_600)
  /// The time between two batches.
  static let pause: Duration = .seconds(1)

  private let archive: ArchiveQueue
  private let days: Int
  private let timers: any Timers
  private let now: () -> Date
  /// The last match whose lines are gone.
  private var last = 0

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
    let end = now().milliseconds - days * 86_400_000
    archive.change { [last] in
      try $0.archive.removeLines(endedBefore: end, after: last, limit: Self.batch)
    } then: { [weak self] in
      // There is time to try again.
      guard let self, case .success(let (last, count)) = $0 else {
        self?.schedule(after: Self.interval)
        return
      }
      self.last = last
      schedule(after: count == Self.batch ? Self.pause : Self.interval)
    }
  }
}

extension Archive {
  /// Removes the lines of the oldest matches that ended before a time, up to a number of matches,
  /// from the one after the row `first`. The rows of matches are in the order of their ends.
  ///
  /// - Returns: the last row that has no lines now, and how many matches it has looked at.
  func removeLines(
    endedBefore end: Int, after first: Int, limit: Int
  ) throws(DatabaseError) -> (last: Int, count: Int) {
    var (last, count, isOld) = (first, 0, true)
    try database.statement(
      "SELECT rowid, ended FROM matches WHERE rowid > ? ORDER BY rowid LIMIT ?"
    ).run(.integer(first), .integer(limit)) { row in
      isOld = isOld && row.integer(1) < end
      guard isOld else { return }
      last = row.integer(0)
      count += 1
    }
    try database.statement(
      """
      UPDATE matches SET lines = NULL, checksum = NULL
      WHERE rowid > ? AND rowid <= ? AND lines IS NOT NULL
      """
    ).run(.integer(first), .integer(last))
    return (last, count)
  }
}
