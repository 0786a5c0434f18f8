import Shared

/// What the operator's tools ask of the archive.
extension Archive {
  func matchIDs() throws(DatabaseError) -> [String] {
    var ids: [String] = []
    try database.statement("SELECT id FROM matches ORDER BY rowid").run { ids.append($0.text(0)) }
    return ids
  }

  private static let resultColumns =
    "match, game, x, o, xAccount, oAccount, winner, reason, moves, ended"

  private static func result(_ row: Statement.Row) -> GameResult {
    var accounts: PerMark<Int>?
    if let x = row.integerIfPresent(4), let o = row.integerIfPresent(5) {
      accounts = PerMark(x: x, o: o)
    }
    return GameResult(
      match: row.text(0), game: row.text(1), players: PerMark(x: row.text(2), o: row.text(3)),
      accounts: accounts, outcome: outcome(row, 6), moves: row.integer(8), ended: row.integer(9))
  }

  /// The finished games of a match, in their order.
  func results(of match: String) throws(DatabaseError) -> [GameResult] {
    var results: [GameResult] = []
    try database.statement(
      "SELECT \(Self.resultColumns) FROM games WHERE match = ? ORDER BY id"
    ).run(.text(match)) { results.append(Self.result($0)) }
    return results
  }

  /// Calls `body` with each rated game, in the order in which they ended.
  func forEachRatedGame(_ body: (GameResult) -> Void) throws(DatabaseError) {
    try database.statement(
      "SELECT \(Self.resultColumns) FROM games WHERE xAccount IS NOT NULL ORDER BY id"
    ).run { body(Self.result($0)) }
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

  func removeLines(of match: String) throws(DatabaseError) {
    try database.statement("UPDATE matches SET lines = NULL, checksum = NULL WHERE id = ?")
      .run(.text(match))
  }

  /// Returns a number that a statement selects.
  func number(_ statement: String) throws(DatabaseError) -> Int {
    var number = 0
    try database.statement(statement).run { number = $0.integer(0) }
    return number
  }

  /// Writes a consistent copy into a file that does not exist.
  func copy(to path: String) throws(DatabaseError) {
    try database.statement("VACUUM INTO ?").run(.text(path))
  }
}
