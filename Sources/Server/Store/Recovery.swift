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
  /// yescrypt, unless a test gives something faster. `onProgress` is called before each file of the
  /// journal, with the number of those that are read, and `whenReading` now and then meanwhile.
  /// `tell` gets sentences for people. `whileLocked` is called again and again as long as another program locks the archive; each
  /// attempt waits for `lockTimeout`.
  ///
  /// - Throws: a sentence for people if the journal is damaged, or cannot be written.
  init(
    _ folder: DataFolder, games: GameRegistry, options: StoreOptions, gate: OutputGate,
    workers: StoreWorkers, timers: any Timers, now: @escaping () -> Date = Date.init,
    passwords: (any PasswordHashing)? = nil, metrics: Metrics? = nil,
    lockTimeout: Duration = Archive.lockTimeout,
    tell: @Sendable (String) -> Void = StandardOutput.printError,
    whileLocked: () throws -> Void = {},
    onProgress: (_ read: Int, _ all: Int) -> Void = { _, _ in }, whenReading: () -> Void = {}
  ) throws(StartError) {
    let segments = folder.journal
    do {
      let (sqlite, hasher) = (try SQLite(), try passwords ?? Self.passwordHasher())
      try segments.create()
      var replay = MatchReplay(games)
      var reader = JournalReader()
      let numbers = try segments.checkedNumbers()
      let end = try reader.read(numbers) { number in
        onProgress(numbers.firstIndex(of: number) ?? 0, numbers.count)
        return try segments.bytes(of: number)
      } _: { record, bytes in
        try replay.apply(record, in: bytes)
        if replay.recordCount.isMultiple(of: Self.recordsPerTurn) { whenReading() }
      }
      try replay.checkBeginnings()
      // A power failure can take back whole records, which leaves no trace in the journal.
      var isCut = end.torn > 0 || folder.mayHaveLostPower && replay.recordCount > 0
      var begun = replay.begun
      var live = replay.liveMatches
      var dropped = replay.unknownMatches
      let archived = try Archive.checked(
        in: folder.path, lockTimeout: lockTimeout, with: sqlite, begun: replay.begun,
        tell: tell, whileLocked: whileLocked)
      let (accounts, ratings) = (try archived.accounts(), try archived.ratings())
      let damage = try archived.findDamage()
      hasLostJournal = try archived.position() > end.position
      if hasLostJournal {
        let known = try archived.knownMatches()
        dropped.formUnion(live.map(\.id).filter(known.contains))
        live.removeAll { known.contains($0.id) }
        begun = max(begun, known.compactMap(MatchID.number).max() ?? 0)
        isCut = true
      }
      begun += isCut ? Self.skippedIDs : 0
      matches = live.map { match in
        var match = match
        match.isCut = isCut
        return match
      }
      let reserves = Dictionary(
        uniqueKeysWithValues: games.games.map { ($0.info.id, GameReserve.bytes(for: $0.info)) })
      let journal = try Journal(
        segments, after: end, matches: begun, hasSkipped: isCut,
        reserve: live.reduce(0) { $0 + (reserves[$1.game.info.id] ?? 0) },
        maxSegment: options.maxSegment, now: now)
      // They have no end, which a start would miss after their beginnings are gone.
      for match in dropped.sorted() {
        try journal.append(.removed, Array(#"{"match":"\#(match)"}"#.utf8).span)
      }
      store = try JournalStore(
        journal, in: segments, live: matches, reserves: reserves,
        durability: options.durability, gate: gate, worker: workers.journal, timers: timers,
        metrics: metrics)
      let archiver = SharedArchiver(
        archived, segments, end: end.position, live: Set(matches.map(\.id)))
      archive = ArchiveQueue(
        archiver, store: store, files: DataFiles(folder.files, journal: segments),
        end: end.position, worker: workers.archive, timers: timers, metrics: metrics)
      if let damage { archive.report(.damaged(damage)) }
      directory = StoredDirectory(
        archive, accounts: accounts, ratings: ratings,
        passwords: PasswordQueue(
          hasher, worker: workers.passwords, timers: timers, metrics: metrics),
        store: store, timers: timers, now: now)
      retention = options.keep.map { [archive] in
        Retention(archive, days: $0, timers: timers, now: now)
      }
      torn = end.torn
      recordCount = replay.recordCount
      unknownGames = replay.unknownGames
    } catch let damage as JournalDamage {
      throw StartError(
        code: .damaged,
        sentence: "The journal is damaged: in \(segments.file(damage.position.segment)), after"
          + " \(damage.position.offset) bytes, \(damage.reason). The server does not start, so that"
          + " nothing gets worse. To keep what is whole, type:"
          + " tictactoe-server check --repair --data \(ShellWord.quoted(folder.path))"
          + " — or restore a backup.")
    } catch let missing as SystemLibrary.MissingError {
      throw Self.cannotKeep(missing)
    } catch let error as StartError {
      throw error
    } catch let error as DatabaseError where error.isDamage {
      throw StartError(
        code: .damaged,
        sentence: "The archive \(folder.path)/\(Archive.fileName) is damaged: \(error.reason)."
          + " Restore a backup of the folder; see docs/operations.md.")
    } catch let error as DatabaseError where error.isLocked {
      throw StartError(
        code: .unavailable,
        sentence: "Another program holds a lock on the archive in \(folder.path). Start the server"
          + " again when it has ended.")
    } catch let error as DatabaseError {
      throw StartError(
        code: error.isFull ? .cannotCreate : .ioError,
        sentence: "The archive in \(folder.path) cannot be used: \(error.reason)."
          + DiskRoom.roomSentence(folder.path)
          + (error.isFull ? DiskRoom.inodeSentence(nil, folder.path) : ""))
    } catch let error as SystemError {
      throw StartError(
        code: .cannotCreate,
        sentence: "The journal cannot be written in \(folder.path): \(error.reason)."
          + DiskRoom.inodeSentence(error.code, folder.path))
    } catch {
      throw StartError(
        code: .ioError,
        sentence: "The journal in \(folder.path) cannot be read:"
          + " \(StandardOutput.reason(of: error)).")
    }
  }
}

extension Recovery {
  /// Says what to install, or how to start without it. A tool has only the first choice.
  static func cannotKeep(_ missing: SystemLibrary.MissingError) -> StartError {
    StartError(
      code: .unavailable,
      sentence: "\(missing.sentence) Or keep nothing: tictactoe-server --data none")
  }

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

/// The threads of a store.
struct StoreWorkers {
  /// Waits for the disk.
  let journal: any BackgroundWorker
  /// Reads and writes the archive.
  let archive: any BackgroundWorker
  /// Hashes passwords.
  let passwords: any BackgroundWorker
}
