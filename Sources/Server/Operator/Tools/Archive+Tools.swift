import Shared

/// What the operator's tools ask of the archive.
extension Archive {
  func matchIDs() throws(DatabaseError) -> [String] {
    var ids: [String] = []
    try database.statement("SELECT id FROM matches ORDER BY rowid").run { ids.append($0.text(0)) }
    return ids
  }

  /// What a repair of the journal has to leave as it is.
  func archivedMatches() throws(DatabaseError) -> ArchivedMatches {
    var matches = ArchivedMatches(ended: Set(try matchIDs()))
    try database.statement(
      "SELECT match, count(*) FROM games WHERE match NOT IN (SELECT id FROM matches) GROUP BY match"
    ).run { matches.games[$0.text(0)] = $0.integer(1) }
    return matches
  }

  fileprivate static let resultColumns =
    "match, game, x, o, xAccount, oAccount, winner, reason, moves, ended"

  fileprivate static func result(_ row: Statement.Row) -> GameResult {
    var accounts: PerMark<Int>?
    if let x = row.integerIfPresent(4), let o = row.integerIfPresent(5) {
      accounts = PerMark(x: x, o: o)
    }
    return GameResult(
      match: row.text(0), game: row.text(1), players: PerMark(x: row.text(2), o: row.text(3)),
      accounts: accounts, outcome: outcome(row, 6), moves: row.integer(8), ended: row.integer(9))
  }

  /// Calls `body` with each rated game, in the order in which they ended.
  func forEachRatedGame(_ body: (GameResult) -> Void) throws(DatabaseError) {
    try database.statement(
      "SELECT \(Self.resultColumns) FROM games WHERE xAccount IS NOT NULL ORDER BY id"
    ).run { body(Self.result($0)) }
  }

  /// The next results after the one with an id, with their ids, in order.
  func results(after id: Int, count: Int) throws(DatabaseError) -> [(id: Int, result: GameResult)] {
    var results: [(id: Int, result: GameResult)] = []
    try database.statement(
      "SELECT \(Self.resultColumns), id FROM games WHERE id > ? ORDER BY id LIMIT ?"
    ).run(.integer(id), .integer(count)) { results.append(($0.integer(10), Self.result($0))) }
    return results
  }

  /// A match in the archive.
  enum Stored {
    case absent
    /// The lines were removed, because they were old or damaged.
    case withoutLines
    /// The lines do not have their checksum.
    case damaged
    case whole(ReplayHeader, [UInt8])
  }

  func stored(_ match: String) throws(DatabaseError) -> Stored {
    do throws(DatabaseError) {
      guard let found = try self.match(match) else { return .absent }
      return found.lines.map { .whole(found.header, $0) } ?? .withoutLines
    } catch {
      guard error == .damaged else { throw error }
      return .damaged
    }
  }

  func contains(_ match: String) throws(DatabaseError) -> Bool {
    var isThere = false
    try database.statement("SELECT 1 FROM matches WHERE id = ?").run(.text(match)) { _ in
      isThere = true
    }
    return isThere
  }

  func removeLines(of match: String) throws(DatabaseError) {
    try database.statement("UPDATE matches SET lines = NULL, checksum = NULL WHERE id = ?")
      .run(.text(match))
  }

  /// Gives out no id of an account that another archive has given out.
  func reserveAccounts(of other: Archive) throws {
    try reserveAccounts(
      upTo: try other.number("SELECT max(seq) FROM sqlite_sequence WHERE name = 'accounts'"))
  }

  /// Gives out no id of an account that its rated games have.
  func reserveAccountsOfGames() throws {
    try reserveAccounts(
      upTo: try number("SELECT max(max(xAccount), max(oAccount)) FROM games"))
  }

  /// Gives out no id of an account up to one.
  func reserveAccounts(upTo last: Int) throws {
    guard last > 0 else { return }
    try database.transaction {
      try database.execute(
        """
        DELETE FROM sqlite_sequence WHERE name = 'accounts';
        INSERT INTO sqlite_sequence VALUES ('accounts', \(last));
        """)
    }
  }

  /// Writes a consistent copy into a file that does not exist.
  func copy(to path: String) throws(DatabaseError) {
    try database.statement("VACUUM INTO ?").run(.text(path))
  }
}

/// The finished games of each match, as the history has them.
final class ResultsByMatch {
  private let statement: Statement

  /// With `isForAll`, all results are sorted by match first, which takes as long as many look-ups.
  init(_ archive: Archive, isForAll: Bool) throws(DatabaseError) {
    var condition = "match = ?"
    if isForAll {
      try archive.database.execute(
        """
        CREATE TEMP TABLE gamesByMatch
          (match TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (match, id)) WITHOUT ROWID;
        INSERT INTO gamesByMatch SELECT match, id FROM games ORDER BY match, id;
        """)
      condition = "id IN (SELECT id FROM gamesByMatch WHERE match = ?)"
    }
    statement = try archive.database.statement(
      "SELECT \(Archive.resultColumns) FROM games WHERE \(condition) ORDER BY id")
  }

  /// The games of a match, in their order.
  func results(of match: String) throws(DatabaseError) -> [GameResult] {
    var results: [GameResult] = []
    try statement.run(.text(match)) { results.append(Archive.result($0)) }
    return results
  }
}
