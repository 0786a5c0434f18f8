import Foundation
import Shared

/// The database of accounts, ratings and results: `archive.db`. Any call may wait for the disk, so
/// the server makes them on a helper thread; see `ArchiveQueue`. Times are in milliseconds since
/// 1970, and names of players are compared by their keys.
final class Archive {
  static let fileName = "archive.db"
  /// `TTTa`, in the header of the file; see file(1).
  private static let applicationID = 0x5454_5461
  /// The version of the tables. A server refuses a newer one.
  private static let version = 1

  let database: Database
  let setPosition: Statement
  let insertGame: Statement
  let insertMatch: Statement
  let selectRating: Statement
  let replaceRating: Statement
  let selectPlayerHistory: Statement
  let selectHistory: Statement
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
      INSERT INTO games (match, game, x, o, xKey, oKey, xAccount, oAccount, winner, reason, moves,
        ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
    let columns = "id, match, game, x, o, winner, reason, moves, ended"
    selectHistory = try database.statement(
      "SELECT \(columns) FROM games WHERE id < ? ORDER BY id DESC LIMIT ?")
    // Each half is read from its index, the latest first.
    selectPlayerHistory = try database.statement(
      """
      SELECT * FROM (SELECT \(columns) FROM games WHERE xKey = ?1 AND id < ?2
        ORDER BY id DESC LIMIT ?3)
      UNION ALL
      SELECT * FROM (SELECT \(columns) FROM games WHERE oKey = ?1 AND id < ?2
        ORDER BY id DESC LIMIT ?3)
      ORDER BY id DESC LIMIT ?3
      """)
    selectLeaderboard = try database.statement(
      """
      SELECT name, points, deviation, won, lost, drawn FROM ratings WHERE game = ?
      ORDER BY points DESC, name LIMIT ?
      """)
    selectMatch = try database.statement(
      "SELECT game, x, o, last, lines, checksum FROM matches WHERE id = ?")
  }

  /// Opens the archive of a data folder for a server whose journal shows how many matches have
  /// begun. An archive that is missing then was lost, and with it accounts, whose names strangers
  /// could take.
  ///
  /// - Throws: what `init` throws; a sentence for people if the archive was lost.
  static func checked(in folder: String, with sqlite: SQLite, begun: Int) throws -> Archive {
    let path = "\(folder)/\(fileName)"
    guard begun == 0 || !isMissing(in: folder) else {
      throw StartError(
        code: .damaged,
        sentence: "The archive \(path) is missing, although the journal shows matches. Restore a"
          + " backup of the folder. To begin again without accounts and results, move"
          + " \(folder)/journal away.")
    }
    return try Archive(in: folder, with: sqlite)
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
    try database.transaction { try database.execute(schema) }
  }

  /// `position` is where the journal was read up to. `x` and `o` are the players of a match by the
  /// marks of its first game, and those of a game by its own. `points` is the rating for people,
  /// by which a leaderboard is ordered.
  private static let schema = """
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    CREATE TABLE position (segment INTEGER NOT NULL, offset INTEGER NOT NULL);
    INSERT INTO position VALUES (0, 0);
    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      password TEXT NOT NULL, created INTEGER NOT NULL);
    CREATE TABLE ratings (
      account INTEGER NOT NULL, game TEXT NOT NULL, name TEXT NOT NULL, points INTEGER NOT NULL,
      rating REAL NOT NULL, deviation REAL NOT NULL, volatility REAL NOT NULL,
      won INTEGER NOT NULL, lost INTEGER NOT NULL, drawn INTEGER NOT NULL,
      PRIMARY KEY (account, game)) WITHOUT ROWID;
    CREATE INDEX leaderboards ON ratings (game, points DESC, name);
    CREATE TABLE games (
      id INTEGER PRIMARY KEY, match TEXT NOT NULL, game TEXT NOT NULL,
      x TEXT NOT NULL, o TEXT NOT NULL, xKey TEXT NOT NULL, oKey TEXT NOT NULL,
      xAccount INTEGER, oAccount INTEGER, winner TEXT, reason TEXT NOT NULL,
      moves INTEGER NOT NULL, ended INTEGER NOT NULL);
    CREATE INDEX gamesOfX ON games (xKey);
    CREATE INDEX gamesOfO ON games (oKey);
    CREATE TABLE matches (
      id TEXT PRIMARY KEY, game TEXT NOT NULL, x TEXT NOT NULL, o TEXT NOT NULL,
      last INTEGER NOT NULL, ended INTEGER NOT NULL, lines BLOB, checksum TEXT);
    """
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
  /// `keys` are those of the players' names.
  func add(_ game: GameResult, keys: PerMark<String>) throws(DatabaseError) {
    try insertGame.run(
      .text(game.match), .text(game.game), .text(game.players.x), .text(game.players.o),
      .text(keys.x), .text(keys.o),
      .integer(game.accounts?.x), .integer(game.accounts?.o), .text(game.outcome.winner?.letter),
      .text(game.outcome.reason.rawValue), .integer(game.moves), .integer(game.ended))
  }

  func add(_ match: MatchLines, ended: Int) throws(DatabaseError) {
    let lines = match.lines ?? []
    try insertMatch.run(
      .text(match.header.match), .text(match.header.game), .text(match.header.players.x),
      .text(match.header.players.o), .integer(match.header.last), .integer(ended), .blob(lines),
      .text(Self.checksum(of: lines)))
  }

  /// Returns the latest games: those of a player, if there is a `key`, and those with an id below
  /// `before`.
  func history(
    of key: ExactText?, before: Int?, now: Int
  ) throws(DatabaseError) -> HistoryPage {
    var items: [HistoryItem] = []
    let before = Statement.Value.integer(before ?? .max)
    // One more, to know whether there are older games.
    let limit = Statement.Value.integer(ProtocolLimits.maxHistoryItems + 1)
    func append(_ row: Statement.Row) {
      items.append(
        HistoryItem(
          id: row.integer(0), match: row.text(1), game: row.text(2),
          players: PerMark(x: row.text(3), o: row.text(4)), outcome: Self.outcome(row, 5),
          moves: row.integer(7), ago: .milliseconds(max(0, now - row.integer(8)))))
    }
    if let key {
      try selectPlayerHistory.run(.text(key.text), before, limit) { append($0) }
    } else {
      try selectHistory.run(before, limit) { append($0) }
    }
    let page = Array(items.prefix(ProtocolLimits.maxHistoryItems))
    return HistoryPage(page, next: items.count > page.count ? page.last?.id : nil)
  }

  /// Reads a winner and a reason.
  static func outcome(_ row: Statement.Row, _ column: Int) -> Outcome {
    let winner = row.textIfPresent(column).map { $0 == Mark.x.letter ? Mark.x : .o }
    return Outcome(
      winner: winner, reason: Outcome.Reason(rawValue: row.text(column + 1)) ?? .full)
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
