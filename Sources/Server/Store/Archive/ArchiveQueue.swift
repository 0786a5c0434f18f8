import Shared
import Synchronization

/// Lets a helper thread read and write the archive, in order. Every 500 ms it archives the records
/// of the journal that are on the disk.
///
/// An outage stops nothing but that: the journal keeps what is not archived yet, and readers get
/// what the archive has.
final class ArchiveQueue {
  /// How long results wait for others, so that one transaction takes many. A game is
  /// in the history about that long after its end.
  static let delay: Duration = .milliseconds(500)
  /// How long to wait before the next attempt, when the disk is full or there is an outage.
  static let retryDelay: Duration = .seconds(1)

  var onChange: ([RatingChange]) -> Void = { _ in }
  /// Called when an outage begins or another kind of it follows, and with `nil` when it ends.
  var onOutage: (ArchiveOutage?) -> Void = { _ in }
  private(set) var outage: ArchiveOutage? {
    didSet { if outage?.kind != oldValue?.kind { onOutage(outage) } }
  }
  /// Called when the archive cannot be read or written for another reason than a full disk or an
  /// outage.
  var onFailure: (any Error) -> Void = { _ in }
  private let files: DataFiles
  private var isChecking = false
  private var needsCheck = false
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
    _ archiver: SharedArchiver, store: JournalStore, files: DataFiles, end: JournalPosition,
    worker: any BackgroundWorker, timers: any Timers, metrics: Metrics? = nil
  ) {
    self.metrics = metrics
    self.archiver = archiver
    self.store = store
    self.files = files
    self.end = end
    self.worker = worker
    self.timers = timers
    store.onSynchronize = { [unowned self] in
      self.end = $0
      if behindSince == nil { behindSince = timers.now }
      // Otherwise the next attempt is scheduled already.
      if outage == nil { schedule(after: Self.delay) }
    }
    // The process before may have ended before it archived its last records.
    schedule(after: .zero)
    checkFiles()
  }

  private func schedule(after delay: Duration) {
    guard timer == nil, !isArchiving else { return }
    timer = timers.schedule(after: delay) { [weak self] in
      self?.timer = nil
      self?.proceed()
    }
  }

  private func proceed() {
    switch outage {
    case nil, .locked: advance()
    case .missing: checkFiles()
    case .damaged: break
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
      if outage == .locked { outage = nil }
      behindSince = self.end > end ? began : nil
      didAdvance(progress)
      if self.end > end { schedule(after: Self.delay) }
    case .failure(let error as DatabaseError) where error.isFull:
      schedule(after: Self.retryDelay)
    case .failure(let error):
      if !note(error) { checkFiles(because: error) }
    }
  }

  /// Takes note of the outage that an error shows. Returns whether it shows one.
  @discardableResult
  private func note(_ error: any Error) -> Bool {
    guard let outage = ArchiveOutage(error) else { return false }
    report(outage)
    return true
  }

  /// An outage has begun or goes on.
  func report(_ outage: ArchiveOutage) {
    // What needs a restart is not over because something else is in the way too.
    if self.outage?.canEnd != false { self.outage = outage }
    if outage.canEnd { schedule(after: Self.retryDelay) }
  }

  private func didAdvance(_ progress: Archiver.Progress) {
    if !progress.changes.isEmpty { onChange(progress.changes) }
    guard store.canRemoveSegments(before: progress.neededSegment) else { return }
    change {
      // The archive must be on the disk before segments with the same data are removed.
      try $0.archive.synchronize()
    } then: { [weak store] result in
      if case .success = result { store?.removeSegments(before: progress.neededSegment) }
    }
  }

  /// Looks whether the files of the data folder are still where they were. If one is missing, the
  /// outage lasts until it is back. `error` is why this is asked; if no file is missing, it is
  /// another failure.
  func checkFiles(because error: (any Error)? = nil) {
    guard !isChecking || error != nil else {
      needsCheck = true
      return
    }
    isChecking = true
    let numbers = store.segments
    let look = files.look(for: numbers)
    worker.perform { [archiver] in
      // A failure leaves the log as it was.
      try? archiver.use { try $0.archive.rescueLog() }
      return look()
    } then: { [weak self] sighting in
      self?.didCheckFiles(sighting, numbers, error)
    }
  }

  private func didCheckFiles(
    _ sighting: DataFiles.Sighting, _ numbers: [Int], _ error: (any Error)?
  ) {
    isChecking = false
    // The server may have removed others meanwhile.
    let present = Set(store.segments)
    let missing = files.missing(in: sighting, of: numbers.filter(present.contains))
    if !missing.isEmpty {
      report(.missing(missing))
    } else if let error {
      onFailure(error)
    } else if case .missing = outage {
      outage = nil
      schedule(after: .zero)
    }
    if needsCheck {
      needsCheck = false
      checkFiles()
    }
  }

  /// Reads on the helper thread, and calls `then` with the result on the thread of the loop.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable (Archiver) throws -> Value,
    then: @escaping (Result<Value, any Error>) -> Void
  ) {
    worker.perform { [archiver] in
      Result { try archiver.use(work) }
    } then: { [weak self] in
      if case .failure(let error) = $0 { self?.note(error) }
      then($0)
    }
  }

  /// Does the same with work that changes the archive. It fails at once during an outage.
  func change<Value: Sendable>(
    _ work: @escaping @Sendable (Archiver) throws -> Value,
    then: @escaping (Result<Value, any Error>) -> Void
  ) {
    guard outage == nil else { return then(.failure(OutageError())) }
    perform(work, then: then)
  }

  /// The same after everything that has happened up to now is in the archive.
  func performAfterArchiving<Value: Sendable>(
    _ work: @escaping @Sendable (Archiver) throws -> Value,
    then: @escaping (Result<Value, any Error>) -> Void
  ) {
    store.afterSync { [weak self] in
      guard let self else { return }
      let end = end
      change { archiver in
        (try archiver.advance(to: end), Result { try work(archiver) })
      } then: { [weak self] in
        switch $0 {
        case .success(let (progress, value)):
          self?.didAdvance(progress)
          if case .failure(let error) = value { self?.note(error) }
          then(value)
        case .failure(let error): then(.failure(error))
        }
      }
    }
  }
}

/// The archive cannot be changed now.
private struct OutageError: Error {}

/// The archiver, which one thread uses at a time.
final class SharedArchiver: Sendable {
  private let archiver: Mutex<Archiver>

  /// The journal ends at `end`. `live` are the ids of the matches that go on.
  ///
  init(
    _ archive: sending Archive, _ segments: SegmentFolder, end: JournalPosition, live: Set<String>
  ) {
    archiver = Mutex(Archiver(archive, segments, end: end, live: live))
  }

  func use<Value: Sendable>(_ body: @Sendable (Archiver) throws -> Value) throws -> Value {
    try archiver.withLock { try body($0) }
  }
}
