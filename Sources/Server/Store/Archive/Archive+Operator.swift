import Shared

/// What the operator reads in the archive, and does to its file.
extension Archive {
  /// When accounts were registered, by their ids, in milliseconds since 1970.
  func registrationTimes(of accounts: [Int]) throws(DatabaseError) -> [Int: Int] {
    var times: [Int: Int] = [:]
    let select = try database.statement("SELECT created FROM accounts WHERE id = ?")
    for account in accounts {
      try select.run(.integer(account)) { times[account] = $0.integer(0) }
    }
    return times
  }

  /// The ratings of an account, in the order of the games' names.
  func ratingEntries(of account: Int) throws(DatabaseError) -> [AccountDetails.Entry] {
    var entries: [AccountDetails.Entry] = []
    try database.statement(
      """
      SELECT game, rating, deviation, volatility, won, lost, drawn FROM ratings WHERE account = ?
      ORDER BY game
      """
    ).run(.integer(account)) { row in
      entries.append(AccountDetails.Entry(game: row.text(0), entry: RatingEntry(row, at: 1)))
    }
    return entries
  }

  /// How many finished games a name has.
  func gameCount(of key: ExactText) throws(DatabaseError) -> Int {
    var count = 0
    try database.statement("SELECT games FROM players WHERE key = ?").run(.text(key.text)) {
      count = $0.integer(0)
    }
    return count
  }

  /// Writes the database again without free pages. It needs as much room as the database has,
  /// twice: for the copy, and for the log.
  func compact() throws -> Compaction {
    try checkFiles()
    let before = try size()
    try database.execute("VACUUM")
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try checkFiles()
    return Compaction(before: before, after: try size())
  }

  private func size() throws(DatabaseError) -> Int {
    try number("PRAGMA page_count") * number("PRAGMA page_size")
  }
}
