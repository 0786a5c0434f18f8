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

  let database: Database
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

  /// Opens the archive of a data folder, and makes its tables if it is new.
  ///
  /// - Throws: a sentence for people if the file is no archive, or was made by a newer server; the
  ///   errors of SQLite.
  convenience init(
    in folder: String, _ mode: Database.Mode = .readWrite, with sqlite: SQLite
  ) throws {
    let path = "\(folder)/\(Self.fileName)"
    if mode == .readWrite {
      // It holds hashes of passwords. SQLite gives its other files the same mode.
      let file = try systemCall("open") { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
      close(file)
    }
    try self.init(try Database(path, mode, with: sqlite), path: path)
    // So that the tools can read while the server writes.
    guard mode == .readWrite else { return }
    try database.execute("PRAGMA journal_mode = WAL")
    // What a power failure takes back is read from the journal again; see `synchronize`.
    try database.execute("PRAGMA synchronous = NORMAL")
  }

  init(_ database: Database, path: String = ":memory:") throws {
    try Self.prepare(database, path: path)
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
  /// begun.
  ///
  /// - Throws: what `init` and `checkIsThere` throw.
  static func checked(in folder: String, with sqlite: SQLite, begun: Int) throws -> Archive {
    try checkIsThere(in: folder, begun: begun)
    return try Archive(in: folder, with: sqlite)
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

  private static func prepare(_ database: Database, path: String) throws {
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
      ErrorOutput.ofProcess.write(
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

  /// Waits until everything is on the disk.
  func synchronize() throws(DatabaseError) {
    try database.execute("PRAGMA wal_checkpoint(FULL)")
  }
}

// MARK: - Results

/// A finished game.
struct GameResult: Equatable {
  let match: String
  let game: String
  /// By the marks of the game.
  let players: PerMark<String>
  /// The accounts that the game counts for; `nil` if it is not rated.
  let accounts: PerMark<Int>?
  let outcome: Outcome
  let moves: Int
  let ended: Int
}

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
    return try database.transaction {
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
