import Shared
import Synchronization

/// Lets a helper thread read and write the archive, in order. Every 500 ms it archives the records
/// of the journal that are on the disk.
final class ArchiveQueue {
  /// How long results wait for others, so that one transaction takes many. A game is
  /// in the history about that long after its end.
  static let delay: Duration = .milliseconds(500)
  /// How long to wait before the next attempt, when the disk is full.
  static let retryDelay: Duration = .seconds(1)

  /// Called with the ratings that have changed.
  var onChange: ([RatingChange]) -> Void = { _ in }
  /// Called when the archive cannot be read or written for another reason than a full disk.
  var onFailure: (any Error) -> Void = { _ in }
  private let archiver: SharedArchiver
  private let store: JournalStore
  private let worker: any BackgroundWorker
  private let timers: any Timers
  private let metrics: Metrics?
  /// Up to where the journal is on the disk.
  private var end: JournalPosition
  private var isArchiving = false
  private var timer: LoopTimer?
  /// Since when there is something on the disk that is not in the archive; `nil` if all is.
  private var behindSince: Duration?

  /// How long the oldest record has waited to be put into the archive.
  var lag: Duration { behindSince.map { timers.now - $0 } ?? .zero }

  init(
    _ archiver: SharedArchiver, store: JournalStore, end: JournalPosition,
    worker: any BackgroundWorker, timers: any Timers, metrics: Metrics? = nil
  ) {
    self.metrics = metrics
    self.archiver = archiver
    self.store = store
    self.end = end
    self.worker = worker
    self.timers = timers
    store.onSynchronize = { [unowned self] in
      self.end = $0
      if behindSince == nil { behindSince = timers.now }
      schedule(after: Self.delay)
    }
    // The process before may have ended before it archived its last records.
    schedule(after: .zero)
  }

  private func schedule(after delay: Duration) {
    guard timer == nil, !isArchiving else { return }
    timer = timers.schedule(after: delay) { [weak self] in
      self?.timer = nil
      self?.advance()
    }
  }

  private func advance() {
    isArchiving = true
    let (end, began) = (end, timers.now)
    worker.perform { [archiver] in
      Timed { Result { try archiver.use { try $0.advance(to: end) } } }
    } then: { [weak self] in
      self?.metrics?.archiveTransactions.add($0.time)
      self?.didAdvance($0.value, to: end, began: began)
    }
  }

  private func didAdvance(
    _ result: Result<Archiver.Progress, any Error>, to end: JournalPosition, began: Duration
  ) {
    isArchiving = false
    switch result {
    case .success(let progress):
      behindSince = self.end > end ? began : nil
      didAdvance(progress)
      if self.end > end { schedule(after: Self.delay) }
    case .failure(let error as DatabaseError) where error.isFull:
      schedule(after: Self.retryDelay)
    case .failure(let error):
      onFailure(error)
    }
  }

  private func didAdvance(_ progress: Archiver.Progress) {
    if !progress.changes.isEmpty { onChange(progress.changes) }
    guard store.canRemoveSegments(before: progress.neededSegment) else { return }
    perform {
      // The archive must be on the disk before segments with the same data are removed.
      try $0.archive.synchronize()
    } then: { [weak store] result in
      if case .success = result { store?.removeSegments(before: progress.neededSegment) }
    }
  }

  /// Does work on the helper thread, and calls `then` with its result on the thread of the loop.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable (Archiver) throws -> Value,
    then: @escaping (Result<Value, any Error>) -> Void
  ) {
    worker.perform { [archiver] in
      Result { try archiver.use(work) }
    } then: {
      then($0)
    }
  }

  /// The same after everything that has happened up to now is in the archive.
  func performAfterArchiving<Value: Sendable>(
    _ work: @escaping @Sendable (Archiver) throws -> Value,
    then: @escaping (Result<Value, any Error>) -> Void
  ) {
    store.afterSync { [weak self] in
      guard let self else { return }
      let end = end
      perform { archiver in
        (try archiver.advance(to: end), Result { try work(archiver) })
      } then: { [weak self] in
        switch $0 {
        case .success(let (progress, value)):
          self?.didAdvance(progress)
          then(value)
        case .failure(let error): then(.failure(error))
        }
      }
    }
  }
}

/// The archiver, which one thread uses at a time.
final class SharedArchiver: Sendable {
  private let archiver: Mutex<Archiver>

  /// Opens the archive of a data folder, whose journal ends at `end`. `live` are the ids of the
  /// matches that go on.
  ///
  /// - Throws: what `Archive` and `Archiver` throw.
  init(
    in folder: String, _ segments: SegmentFolder, end: JournalPosition, live: Set<String>,
    with sqlite: SQLite
  ) throws {
    archiver = Mutex(
      try Archiver(try Archive(in: folder, with: sqlite), segments, end: end, live: live))
  }

  func use<Value: Sendable>(_ body: @Sendable (Archiver) throws -> Value) throws -> Value {
    try archiver.withLock { try body($0) }
  }
}
