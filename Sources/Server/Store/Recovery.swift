import Foundation
import Shared

/// The store and the matches that it holds, as a server begins with them.
struct Recovery {
  /// How many ids of matches are left out after records were lost: some of them may be known to
  /// clients.
  static let skippedIDs = 1_000

  let store: JournalStore
  /// `nil` if the lines of matches are kept for ever.
  private let retention: Retention?
  let directory: StoredDirectory
  let archive: ArchiveQueue
  let matches: [StoredMatch]
  /// Whether the archive has more than the journal, which someone has removed or replaced.
  let hasLostJournal: Bool
  /// The number of bytes at the end of the journal that were no whole record.
  let torn: Int
  let recordCount: Int
  /// The number of matches of games that this server does not have.
  let unknownGames: Int

  /// How many records are read between two calls of `whenReading`.
  static let recordsPerTurn = 1_024

  /// Reads the journal of a folder, and opens it for new records. Passwords are hashed with
  /// yescrypt, unless a test gives something faster. While another program locks the archive, each
  /// attempt waits for `lockTimeout`.
  ///
  /// - Throws: a sentence for people if the journal is damaged, or cannot be written.
  init(
    _ folder: DataFolder, games: GameRegistry, options: StoreOptions, context: StoreContext,
    passwords: (any PasswordHashing)? = nil, lockTimeout: Duration = Archive.lockTimeout,
    observer: RecoveryObserver = RecoveryObserver()
  ) throws(StartError) {
    do {
      let (sqlite, hasher) = (try SQLite(), try passwords ?? Self.passwordHasher())
      let (replay, end) = try Self.read(folder.journal, games, observer)
      let archived = try Archive.checked(
        in: folder.path, lockTimeout: lockTimeout, with: sqlite, begun: replay.begun,
        tell: observer.tell, whileLocked: observer.whileLocked)
      let (accounts, ratings) = (try archived.accounts(), try archived.ratings())
      let damage = try archived.findDamage()
      // Someone has removed or replaced the journal if the archive has more.
      let known = try archived.position() > end.position ? archived.knownMatches() : nil
      let findings = Findings(
        replay, known: known, end: end, mayHaveLostPower: folder.mayHaveLostPower)
      matches = findings.matches
      hasLostJournal = known != nil
      let reserves = Dictionary(
        uniqueKeysWithValues: games.games.map { ($0.info.id, GameReserve.bytes(for: $0.info)) })
      store = try JournalStore(
        try Self.open(folder.journal, after: end, findings, reserves, options, now: context.now),
        in: folder.journal, live: matches, reserves: reserves, durability: options.durability,
        context: context)
      archive = ArchiveQueue(
        SharedArchiver(archived, folder.journal, end: end.position, live: Set(matches.map(\.id))),
        store: store, files: DataFiles(folder.files, journal: folder.journal), end: end.position,
        worker: context.workers.archive, timers: context.timers, metrics: context.metrics)
      if let damage { archive.report(.damaged(damage)) }
      directory = StoredDirectory(
        archive, accounts: accounts, ratings: ratings,
        passwords: PasswordQueue(
          hasher, worker: context.workers.passwords, timers: context.timers,
          metrics: context.metrics),
        store: store, timers: context.timers, now: context.now)
      retention = options.keep.map { [archive] in
        Retention(archive, days: $0, timers: context.timers, now: context.now)
      }
      torn = end.torn
      recordCount = replay.recordCount
      unknownGames = replay.unknownGames
    } catch {
      throw StartError(error, atStartIn: folder)
    }
  }

  /// Makes the matches again from the records of the journal.
  private static func read(
    _ segments: SegmentFolder, _ games: GameRegistry, _ observer: RecoveryObserver
  ) throws -> (MatchReplay, JournalEnd) {
    try segments.create()
    var replay = MatchReplay(games)
    var reader = JournalReader()
    let numbers = try segments.checkedNumbers()
    let end = try reader.read(numbers) { number in
      observer.onProgress(numbers.firstIndex(of: number) ?? 0, numbers.count)
      return try segments.bytes(of: number)
    } _: { record, bytes in
      try replay.apply(record, in: bytes)
      if replay.recordCount.isMultiple(of: recordsPerTurn) { observer.whenReading() }
    }
    try replay.checkBeginnings()
    return (replay, end)
  }

  /// Opens the journal for the records that follow.
  private static func open(
    _ segments: SegmentFolder, after end: JournalEnd, _ findings: Findings,
    _ reserves: [String: Int], _ options: StoreOptions, now: @escaping () -> Date
  ) throws -> Journal {
    let journal = try Journal(
      segments, after: end, matches: findings.begun, hasSkipped: findings.isCut,
      reserve: findings.matches.reduce(0) { $0 + (reserves[$1.game.info.id] ?? 0) },
      maxSegment: options.maxSegment, now: now)
    // They have no end, which a start would miss after their beginnings are gone.
    for match in findings.dropped.sorted() {
      try journal.append(.removed, Array(#"{"match":"\#(match)"}"#.utf8).span)
    }
    return journal
  }

  /// What goes on, by the journal and the archive.
  private struct Findings {
    private(set) var matches: [StoredMatch]
    /// The ids of matches that have begun and do not go on, although they have no end.
    private(set) var dropped: Set<String>
    /// The number of matches that have begun, with ids that are left out.
    private(set) var begun: Int
    /// Whether clients may have been told more than what is stored.
    private(set) var isCut: Bool

    /// `known` are the matches of the archive, if it has more than the journal.
    init(
      _ replay: MatchReplay, known: Set<String>?, end: JournalEnd, mayHaveLostPower: Bool
    ) {
      matches = replay.liveMatches
      dropped = replay.unknownMatches
      begun = replay.begun
      // A power failure can take back whole records, which leaves no trace in the journal.
      isCut = end.torn > 0 || mayHaveLostPower && replay.recordCount > 0
      if let known {
        dropped.formUnion(matches.map(\.id).filter(known.contains))
        matches.removeAll { known.contains($0.id) }
        begun = max(begun, known.compactMap(MatchID.number).max() ?? 0)
        isCut = true
      }
      begun += isCut ? Recovery.skippedIDs : 0
      for index in matches.indices { matches[index].isCut = isCut }
    }
  }
}

extension Recovery {
  /// The slow hash that the system has.
  static func passwordHasher() throws(SystemLibrary.MissingError) -> any PasswordHashing {
    #if os(macOS)
      try PBKDF2Hasher()
    #else
      try PasswordHasher()
    #endif
  }
}

/// How the store keeps matches.
struct StoreOptions: Equatable {
  /// The smallest value of `maxSegment` that is allowed.
  static let minSegment = 65_536

  /// The size of the largest file of the journal, in bytes.
  var maxSegment = 67_108_864
  var durability = Durability.process
  /// How many days the lines of a finished match are kept; `nil` means for ever.
  var keep: Int?
}

struct StoreWorkers {
  /// Waits for the disk.
  let journal: any BackgroundWorker
  /// Reads and writes the archive.
  let archive: any BackgroundWorker
  let passwords: any BackgroundWorker
}

/// What a store needs of its process.
struct StoreContext {
  let gate: OutputGate
  let workers: StoreWorkers
  let timers: any Timers
  var now: () -> Date = Date.init
  /// `nil` unless somebody asks.
  var metrics: Metrics?
}

/// What is called during a recovery.
struct RecoveryObserver {
  /// Gets sentences for people.
  var tell: @Sendable (String) -> Void = StandardOutput.printError
  /// Called again and again as long as another program locks the archive.
  var whileLocked: () throws -> Void = {}
  /// Called before each file of the journal, with the number of those that are read.
  var onProgress: (_ read: Int, _ all: Int) -> Void = { _, _ in }
  /// Called now and then while the journal is read.
  var whenReading: () -> Void = {}
}
