import Shared

/// How long the work of the server takes. It exists only with `--metrics`; what is merely counted
/// is in `Counters`.
final class Metrics {
  /// How long the loop takes for a turn, without the wait at its beginning.
  private(set) var turns = Histogram.fast
  let replies: ReplyTimes
  /// `write` of the journal, which the loop waits for.
  private(set) var storeWrites = Histogram.fast
  /// `fdatasync` of the journal.
  var storeSyncs = Histogram.slow
  /// Transactions that put results and matches into the archive.
  var archiveTransactions = Histogram.slow
  /// Hashing a password, to check it or to keep it.
  var passwordChecks = Histogram.slow
  /// From sending matches' entries to the engine until its replicas have them.
  var engineWrites = Histogram.fast
  /// Returns the figures of this node; `nil` for a server that stands alone.
  var clusterFigures: () -> ClusterFigures? = { nil }
  /// Returns what alerts need to know, besides the counters; `nil` before the server listens.
  var operation: () -> OperationFigures? = { nil }
  /// From the request for a bot's move to the move.
  var botMoves = Histogram.slow
  private let timers: any Timers

  init(timers: any Timers, gate: OutputGate) {
    self.timers = timers
    replies = ReplyTimes(timers: timers, gate: gate)
  }

  /// A turn of the loop has ended. `lines` is the number of lines that the server has handled since
  /// its start. The times are those of `Timers.preciseNow`.
  func turnDidEnd(from begin: Duration, to end: Duration, lines: Int) {
    turns.add(end - begin)
    replies.turnDidEnd(from: begin, to: end, lines: lines)
  }

  /// Calls `write`, and adds the time that it takes.
  func measureStoreWrite(_ write: () throws(SystemError) -> Void) throws(SystemError) {
    let begin = timers.preciseNow
    try write()
    storeWrites.add(timers.preciseNow - begin)
  }
}

/// The result of work on a helper thread, and how long it took there.
struct Timed<Value: Sendable>: Sendable {
  let value: Value
  let time: Duration

  init(_ work: () -> Value) {
    let begin = ContinuousClock.now
    value = work()
    time = ContinuousClock.now - begin
  }
}
