import Foundation
import Shared

/// The database of accounts, ratings and results: `archive.db`. Any call may wait for the disk, so
/// the server makes them on a helper thread; see `ArchiveQueue`. Times are in milliseconds since
/// 1970, and names of players are compared by their keys.
final class Archive {
  static let fileName = "archive.db"
  /// `TTTa`, in the header of the file; see file(1).
  static let applicationID = 0x5454_5461
  /// The version of the tables. A server converts an older one and refuses a newer one.
  private static let version = 2

  /// How long a server waits for a lock at once. Its other work on the archive waits too.
  static let lockTimeout: Duration = .milliseconds(500)

  let database: Database
  /// Those of the database, if it can be changed and is not in memory.
  private var files = PlacedFiles([])
  let setPosition: Statement
  let insertGame: Statement
  let insertMatch: Statement
  let selectRating: Statement
  let replaceRating: Statement
  let selectGame: Statement
  let selectHistory: Statement
  let chains: PlayerChains
  let selectLeaderboard: Statement
  let selectMatch: Statement

  /// Opens the archive of a data folder, and makes its tables if it is new. `lockTimeout` is how
  /// long each of its calls waits while another program holds a lock.
  ///
  /// - Throws: a sentence for people if the file is no archive, or was made by a newer server; the
  ///   errors of SQLite.
  convenience init(
    in folder: String, _ mode: Database.Mode = .readWrite,
    lockTimeout: Duration = .seconds(10), with sqlite: SQLite,
    tell: @Sendable (String) -> Void = StandardOutput.printError
  ) throws {
    let path = "\(folder)/\(Self.fileName)"
    if mode == .readWrite {
      try Self.createFile(path)
      // SQLite opens a file that it may not write to for reading, and says so at the first change.
      guard access(path, W_OK) == 0 else {
        throw StartError(
          code: .cannotCreate,
          sentence: "The archive \(path) cannot be written: \(String(cString: strerror(errno))).")
      }
    }
    try self.init(
      try Database(path, mode, lockTimeout: lockTimeout, with: sqlite), path: path, tell: tell)
    // So that the tools can read while the server writes.
    guard mode == .readWrite else { return }
    try database.execute("PRAGMA journal_mode = WAL")
    // What a power failure takes back is read from the journal again; see `synchronize`.
    try database.execute("PRAGMA synchronous = NORMAL")
    // The first read makes the other files.
    _ = try position()
    files = PlacedFiles(["", "-wal", "-shm"].map { path + $0 })
  }

  /// Makes an empty file, unless there is one.
  ///
  /// A file that is there is never opened except by SQLite: a process that closes any descriptor of
  /// a file drops all POSIX locks that it has on it. Then another program that closes the database
  /// believes to be its last user, and removes the log that the server writes into; see
  /// https://sqlite.org/howtocorrupt.html, 2.2.
  private static func createFile(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      // It holds hashes of passwords. SQLite gives its other files the same mode.
      close(
        try systemCall("open") { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) })
    } catch {
      guard error.code == EEXIST else { throw error }
    }
  }

  init(
    _ database: Database, path: String = ":memory:",
    tell: @Sendable (String) -> Void = StandardOutput.printError
  ) throws {
    try Self.prepare(database, path: path, tell)
    // In KiB: the ends of the indices, for the players of one moment, and little more.
    try database.execute("PRAGMA cache_size = -1024")
    self.database = database
    setPosition = try database.statement(
      "UPDATE position SET segment = ?, offset = ?")
    insertGame = try database.statement(
      """
      INSERT INTO games (match, game, x, o, xPrevious, oPrevious, xAccount, oAccount, winner,
        reason, moves, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    insertMatch = try database.statement(
      """
      INSERT OR REPLACE INTO matches (id, game, x, o, last, ended, lines, checksum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
    selectRating = try database.statement(
      """
      SELECT rating, deviation, volatility, won, lost, drawn FROM ratings
      WHERE account = ? AND game = ?
      """)
    replaceRating = try database.statement(
      """
      INSERT OR REPLACE INTO ratings
      SELECT id, ?, name, ?, ?, ?, ?, ?, ?, ? FROM accounts WHERE id = ?
      """)
    let columns = "id, match, game, x, o, winner, reason, moves, ended, xPrevious, oPrevious"
    selectHistory = try database.statement(
      "SELECT \(columns) FROM games WHERE id < ? ORDER BY id DESC LIMIT ?")
    selectGame = try database.statement("SELECT \(columns) FROM games WHERE id = ?")
    chains = try PlayerChains(database)
    selectLeaderboard = try database.statement(
      """
      SELECT name, points, deviation, won, lost, drawn FROM ratings WHERE game = ?
      ORDER BY points DESC, name LIMIT ?
      """)
    selectMatch = try database.statement(
      "SELECT game, x, o, last, lines, checksum FROM matches WHERE id = ?")
  }

  /// Opens the archive of a data folder for a server whose journal shows how many matches have
  /// begun. As long as another program locks it, `whileLocked` is called again and again.
  ///
  /// - Throws: what `init`, `checkIsThere` and `whileLocked` throw.
  static func checked(
    in folder: String, lockTimeout: Duration, with sqlite: SQLite, begun: Int,
    tell: @Sendable (String) -> Void, whileLocked: () throws -> Void
  ) throws -> sending Archive {
    while true {
      do {
        try checkIsThere(in: folder, begun: begun)
        let archive = try Archive(in: folder, lockTimeout: lockTimeout, with: sqlite, tell: tell)
        for name in try archive.updateKeys() {
          tell(
            "The account “\(name)” cannot be used any more: its name is that of another account.")
        }
        return archive
      } catch let error as DatabaseError where error.isLocked {
        try whileLocked()
      }
    }
  }

  /// Checks that the files are where they were when they were opened. Called before each change
  /// that somebody may be told of, and again before it counts.
  ///
  /// - Throws: `MissingFilesError` if they are not.
  func checkFiles() throws(MissingFilesError) {
    let missing = files.missing
    if !missing.isEmpty { throw MissingFilesError(paths: missing) }
  }

  /// If a file was removed, puts into the database what is in the log, and empties the log: a start
  /// would not find a log that has lost its name, and would put one whose database was replaced
  /// into the new one.
  func rescueLog() throws(DatabaseError) {
    guard !files.missing.isEmpty else { return }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// The size in bytes up to which a start checks the whole database: about 0.3 s.
  static let maxChecked = 67_108_864

  /// Returns what SQLite finds damaged, or `nil`. In a large database only the accounts and the
  /// ratings are checked; `check` reads all of it.
  func findDamage() throws(DatabaseError) -> String? {
    let isLarge =
      try number("PRAGMA page_count") * number("PRAGMA page_size") > Self.maxChecked
    for check in isLarge ? ["(accounts)", "(ratings)"] : ["(1)"] {
      var findings: [String] = []
      do throws(DatabaseError) {
        try database.statement("PRAGMA quick_check\(check)").run { findings.append($0.text(0)) }
      } catch {
        guard error.isDamage else { throw error }
        return error.reason
      }
      if findings != ["ok"] { return Self.reason(in: findings) }
    }
    return nil
  }

  /// Returns the first thing that SQLite has found, without the heading above it.
  static func reason(in findings: [String]) -> String {
    let lines = findings.flatMap { $0.split(whereSeparator: \.isNewline) }.map(String.init)
    return lines.first { !$0.hasPrefix("***") } ?? "SQLite does not say where"
  }

  /// Returns a number that a statement selects.
  func number(_ statement: String) throws(DatabaseError) -> Int {
    var number = 0
    try database.statement(statement).run { number = $0.integer(0) }
    return number
  }

  /// Checks that a data folder has an archive if its journal shows that matches have begun. An
  /// archive that is missing then was lost, and with it accounts, whose names strangers could take.
  ///
  /// - Throws: a sentence for people if the archive was lost.
  static func checkIsThere(in folder: String, begun: Int) throws(StartError) {
    guard begun > 0, isMissing(in: folder) else { return }
    throw StartError(
      code: .damaged,
      sentence: "The archive \(folder)/\(fileName) is missing, although the journal shows matches."
        + " Restore a backup of the folder. To begin again without accounts and results, move"
        + " \(folder)/journal away.")
  }

  /// Whether a folder has no archive yet. A process that dies while it makes one leaves an empty
  /// file.
  static func isMissing(in folder: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(fileName)")
    return attributes?[.size] as? Int ?? 0 == 0
  }

  private static func prepare(
    _ database: Database, path: String, _ tell: @Sendable (String) -> Void
  ) throws {
    var (application, version) = (0, 0)
    try database.statement("PRAGMA application_id").run { application = $0.integer(0) }
    try database.statement("PRAGMA user_version").run { version = $0.integer(0) }
    var tables = 0
    try database.statement("SELECT count(*) FROM sqlite_schema").run { tables = $0.integer(0) }
    guard application == applicationID || tables == 0 else {
      throw StartError(
        code: .damaged,
        sentence: "\(path) is not an archive of this server. Move it away, and start again.")
    }
    guard version <= Self.version else {
      throw StartError(
        code: .damaged,
        sentence: "\(path) was written by a newer server. Install that version again.")
    }
    guard version < Self.version else { return }
    guard database.mode == .readWrite else {
      throw StartError(
        code: .unavailable,
        sentence: "\(path) was written by an older server. Start this version on it once, which"
          + " converts it.")
    }
    if version > 0 {
      tell(
        "Converting \(path), which an older server wrote. A million games take about 7 s.")
    }
    try database.transaction {
      try database.execute(version == 0 ? schema : conversionFromVersion1)
      try database.execute("PRAGMA user_version = \(Self.version)")
    }
  }
}

// MARK: - The journal's position

extension Archive {
  /// Where the journal was read up to.
  func position() throws(DatabaseError) -> JournalPosition {
    var position = JournalPosition(segment: 0, offset: 0)
    try database.statement("SELECT segment, offset FROM position").run {
      position = JournalPosition(segment: $0.integer(0), offset: $0.integer(1))
    }
    return position
  }

  /// The ids of all matches that it knows.
  func knownMatches() throws(DatabaseError) -> Set<String> {
    var ids: Set<String> = []
    try database.statement("SELECT id FROM matches UNION SELECT match FROM games").run {
      ids.insert($0.text(0))
    }
    return ids
  }

  func set(_ position: JournalPosition) throws(DatabaseError) {
    try setPosition.run(.integer(position.segment), .integer(position.offset))
  }

  /// Waits until everything is on the disk. A checkpoint would not do: it leaves out what another
  /// program still reads.
  func synchronize() throws {
    try durably { try set(try position()) }
  }

  /// Carries out a transaction. What it has changed, and what was changed before, is on the disk
  /// afterwards.
  func durably<Result>(_ body: () throws -> Result) throws -> Result {
    try database.execute("PRAGMA synchronous = FULL")
    // Everything else can be made again from the journal.
    defer { try? database.execute("PRAGMA synchronous = NORMAL") }
    return try change(body)
  }

  /// Carries out a transaction, unless the files are missing.
  private func change<Result>(_ body: () throws -> Result) throws -> Result {
    try checkFiles()
    return try database.transaction {
      let result = try body()
      try checkFiles()
      return result
    }
  }
}

// MARK: - Results

/// A finished match with its events.
struct MatchLines: Equatable {
  let header: ReplayHeader
  /// The lines that a spectator of the whole match got; `nil` if they were removed.
  let lines: [UInt8]?
}

extension Archive {
  /// Carries out a transaction that adds games.
  func addGames<Result>(_ body: () throws -> Result) throws -> Result {
    // What a transaction has left that failed.
    chains.forget()
    return try change {
      let result = try body()
      try chains.write()
      return result
    }
  }

  /// Adds a game, in the call of `addGames`. `keys` are those of the players' names.
  func add(_ game: GameResult, keys: PerMark<String>) throws(DatabaseError) {
    try chains.writeIfMany()
    let chains = PerMark(x: try chains.chain(of: keys.x), o: try chains.chain(of: keys.o))
    try insertGame.run(
      .text(game.match), .text(game.game), .text(game.players.x), .text(game.players.o),
      .integer(chains.x.latest), .integer(chains.o.latest),
      .integer(game.accounts?.x), .integer(game.accounts?.o), .text(game.outcome.winner?.letter),
      .text(game.outcome.reason.rawValue), .integer(game.moves), .integer(game.ended))
    let id = database.lastID
    for mark in Mark.allCases { chains[mark].append(GameLink(game: id, mark: mark)) }
  }

  func add(_ match: MatchLines, ended: Int) throws(DatabaseError) {
    let lines = match.lines ?? []
    try insertMatch.run(
      .text(match.header.match), .text(match.header.game), .text(match.header.players.x),
      .text(match.header.players.o), .integer(match.header.last), .integer(ended), .blob(lines),
      .text(Self.checksum(of: lines)))
  }

  /// Returns a finished match; `nil` if there is none.
  ///
  /// - Throws: `DatabaseError.damaged` if its lines do not have their checksum.
  func match(_ id: String) throws(DatabaseError) -> MatchLines? {
    var match: MatchLines?
    var isDamaged = false
    try selectMatch.run(.text(id)) { row in
      let lines = row.isNull(4) ? nil : row.withBytes(4) { Array($0) }
      isDamaged = lines.map { Self.checksum(of: $0) != row.text(5) } ?? false
      match = MatchLines(
        header: ReplayHeader(
          match: id, game: row.text(0), players: PerMark(x: row.text(1), o: row.text(2)),
          last: row.integer(3)),
        lines: lines)
    }
    guard !isDamaged else { throw .damaged }
    return match
  }

  /// The CRC-32C of lines, as eight hexadecimal digits.
  static func checksum(of lines: [UInt8]) -> String {
    let digits = lines.withUnsafeBytes { CRC32C().digits(after: CRC32C.noDigits, of: $0) }
    return withUnsafeBytes(of: digits) { String(decoding: $0, as: UTF8.self) }
  }

  static func key(of name: String) -> String { PlayerName.key(of: name)?.text ?? name }
}

extension DatabaseError {
  /// The lines of a match do not have their checksum.
  static let damaged = DatabaseError(code: 11, reason: "the lines of a match are damaged")
}
