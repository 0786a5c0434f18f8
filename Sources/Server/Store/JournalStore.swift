import Foundation
import Shared

/// When a line may go out.
enum Durability: String, CaseIterable {
  /// After the system has taken it: it outlives the process. A power failure may take back the last
  /// 0.2 seconds.
  case process
  /// After it is on the disk.
  case power
  /// At once.
  case none
}

/// Keeps matches in a journal. The gate of the loop holds all output until the records of a turn
/// are written, and with `Durability.power` until they are on the disk.
final class JournalStore {
  /// How long after a write the disk is told to keep it.
  static let syncDelay: Duration = .milliseconds(100)
  /// How long to wait before the next attempt to make a segment.
  static let allocationDelay: Duration = .seconds(1)

  /// Called when the journal is on the disk up to a position.
  var onSynchronize: (JournalPosition) -> Void = { _ in }
  /// Called when the journal cannot be written any more. No output leaves after that.
  var onFailure: (SystemError) -> Void = { _ in }
  /// Called when there is no room for the next segment, and when there is some again.
  var onRoomChange: (_ hasRoom: Bool) -> Void = { _ in }
  private let journal: Journal
  private let folder: SegmentFolder
  private let durability: Durability
  private let gate: OutputGate
  private let worker: any BackgroundWorker
  private let timers: any Timers
  /// How long writes and waits for the disk take; `nil` unless somebody asks.
  private let metrics: Metrics?
  let encoder = RecordEncoder()
  /// Whether new games may begin. They may not while the system has no room for the next segment,
  /// although there may soon be less left than the `reserve` of the current matches. These go on in
  /// what is left. Matches that begin while a segment is being made are not in its size, but in the
  /// half of a segment that is kept beside the reserve.
  private(set) var hasRoom = true { didSet { if hasRoom != oldValue { onRoomChange(hasRoom) } } }
  /// The bytes of the journal's file system.
  var room: DiskRoom { DiskRoom(of: folder.path) }
  private var hasFailed = false
  private var isAllocating = false
  private var isSyncing = false
  private var syncTimer: LoopTimer?
  /// What waits until the journal is on the disk up to a position.
  private var waiting: [(end: JournalPosition, action: () -> Void)] = []
  private let reserves: [String: Int]
  /// The number of bytes that the current matches may still need to end.
  private var reserve = 0
  /// The segments in order, up to the current one or one before it.
  private var known: [Int]

  /// `live` are the matches that go on. `reserves` is the number of bytes that a match of each kind
  /// of game may need.
  init(
    _ journal: Journal, in folder: SegmentFolder, live: [StoredMatch], reserves: [String: Int],
    durability: Durability, context: StoreContext
  ) throws {
    metrics = context.metrics
    self.journal = journal
    self.reserves = reserves
    self.folder = folder
    self.durability = durability
    gate = context.gate
    worker = context.workers.journal
    timers = context.timers
    known = try folder.numbers()
    for match in live { reserve += reserves[match.game.info.id] ?? 0 }
    gate.onCommit = { [unowned self] in commit() }
  }

  /// Writes what is left and waits for the disk. Nothing may be appended after that.
  func stop() {
    guard !hasFailed else { return }
    do throws(SystemError) {
      try journal.commit()
      try journal.takeWritten().synchronize()
      try markSynced(journal.position)
      try write()
    } catch {
      fail(error)
    }
  }

  func append(_ kind: RecordKind, _ payload: Span<UInt8>, to match: String) {
    guard !hasFailed else { return }
    do throws(SystemError) {
      try journal.append(kind, payload)
      gate.close(durability != .none)
    } catch {
      fail(error)
    }
  }

  /// Writes the records of the turn. The gate calls it.
  func commit() {
    guard !hasFailed else { return }
    do throws(SystemError) {
      try write()
    } catch {
      return fail(error)
    }
    switch durability {
    case .none, .process:
      gate.open()
      scheduleSync()
    case .power: synchronize()
    }
    if !isAllocating, journal.needsNext(reserve: reserve) { allocate() }
  }

  private func write() throws(SystemError) {
    guard let metrics, journal.isPending else { return try journal.commit() }
    try metrics.measureStoreWrite { () throws(SystemError) in try journal.commit() }
  }

  private func fail(_ error: SystemError) {
    guard !hasFailed else { return }
    hasFailed = true
    gate.close(true)
    onFailure(error)
  }

  private func scheduleSync() {
    guard syncTimer == nil, !isSyncing else { return }
    syncTimer = timers.schedule(after: Self.syncDelay) { [weak self] in
      self?.syncTimer = nil
      self?.synchronize()
    }
  }

  /// Lets the helper thread wait for the disk. One wait is under way at a time; what is written
  /// meanwhile waits for the next one.
  private func synchronize() {
    guard !isSyncing, !hasFailed else { return }
    do throws(SystemError) {
      // The end of a match may still wait for the end of the turn.
      try write()
    } catch {
      return fail(error)
    }
    isSyncing = true
    let (written, commit) = (journal.takeWritten(), gate.committed)
    worker.perform {
      Timed { Result { () throws(SystemError) in try written.synchronize() } }
    } then: { [weak self] in
      self?.metrics?.storeSyncs.add($0.time)
      self?.didSynchronize($0.value, written.end, commit)
    }
  }

  private func didSynchronize(
    _ result: Result<Void, SystemError>, _ end: JournalPosition, _ commit: Int
  ) {
    isSyncing = false
    guard !hasFailed else { return }
    // Then a commit follows in this turn.
    let needsCommit = gate.needsCommit
    do throws(SystemError) {
      try result.get()
      try markSynced(end)
      if !needsCommit { try write() }
    } catch {
      return fail(error)
    }
    if durability == .power { gate.advance(to: commit) }
    onSynchronize(end)
    while let first = waiting.first, first.end <= end { waiting.removeFirst().action() }
    guard gate.committed > commit else { return }
    switch durability {
    case .none, .process: scheduleSync()
    // The commit does so, and the events up to then share the wait.
    case .power: if !needsCommit { synchronize() }
    }
  }

  /// Appends up to where the journal is on the disk. This itself needs not be on the disk, so it
  /// causes no further wait.
  private func markSynced(_ end: JournalPosition) throws(SystemError) {
    try journal.append(.synced, Array(SyncedPosition.text(end).utf8).span)
  }

  /// Makes segments until there is enough room.
  private func allocate() {
    isAllocating = journal.needsNext(reserve: reserve)
    guard isAllocating else {
      hasRoom = true
      return
    }
    worker.perform(journal.allocation) { [weak self] in self?.didAllocate($0) }
  }

  private func didAllocate(_ result: Result<SegmentFile, SystemError>) {
    switch result {
    case .success(let file):
      journal.take(file)
      allocate()
    case .failure:
      hasRoom = false
      timers.schedule(after: Self.allocationDelay) { [weak self] in self?.allocate() }
    }
  }

  /// Calls `action` when everything that was appended is on the disk.
  func afterSync(_ action: @escaping () -> Void) {
    waiting.append((journal.position, action))
    scheduleSync()
  }

  /// The numbers of the segments that there should be.
  var segments: [Int] {
    while let last = known.last, last < journal.position.segment { known.append(last + 1) }
    return known
  }

  /// Whether there are segments before one.
  func canRemoveSegments(before needed: Int) -> Bool { known.first ?? needed < needed }

  /// Removes the segments before one, which nobody needs any more.
  func removeSegments(before needed: Int) {
    let numbers = segments.prefix { $0 < needed }
    guard !numbers.isEmpty else { return }
    known.removeFirst(numbers.count)
    worker.perform { [folder] in
      // A file that cannot be removed only takes room.
      for number in numbers { try? folder.remove(number) }
    } then: {
    }
  }
}

extension JournalStore: RecordStore {
  func newMatchID() -> String {
    journal.matches += 1
    return MatchID.text(journal.matches)
  }

  func begin(_ match: String, game: String, players: PerMark<StoredPlayer?>) {
    let record = BeginningRecord(match: match, game: game, X: players.x, O: players.o)
    append(.beginning, record, to: match)
    reserve += reserves[game] ?? 0
  }

  func end(_ match: String, game: String) {
    reserve -= reserves[game] ?? 0
  }
}
