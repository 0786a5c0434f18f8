import Shared

extension Archive {
  func accounts() throws(DatabaseError) -> [Account] {
    var accounts: [Account] = []
    try database.statement("SELECT id, name, key, password FROM accounts").run { row in
      accounts.append(
        Account(
          id: row.integer(0), name: row.text(1), key: ExactText(row.text(2)),
          password: row.text(3)))
    }
    return accounts
  }

  /// Adds an account, and returns its id. It is on the disk afterwards, as with the next two
  /// methods: accounts are rare and precious.
  func addAccount(
    _ name: PlayerName, password: String, at now: Int
  ) throws -> Int {
    try durably {
      try database.statement(
        "INSERT INTO accounts (key, name, password, created) VALUES (?, ?, ?, ?)"
      ).run(.text(name.key.text), .text(name.text), .text(password), .integer(now))
      return database.lastID
    }
  }

  func setPassword(_ password: String, of account: Int) throws {
    try durably {
      try database.statement("UPDATE accounts SET password = ? WHERE id = ?")
        .run(.text(password), .integer(account))
    }
  }

  /// Deletes an account and its ratings.
  func removeAccount(_ account: Int) throws {
    try durably { try deleteAccount(account) }
  }

  /// The same, in a transaction.
  func deleteAccount(_ account: Int) throws(DatabaseError) {
    try database.statement("DELETE FROM ratings WHERE account = ?").run(.integer(account))
    try database.statement("DELETE FROM accounts WHERE id = ?").run(.integer(account))
  }

  /// The ratings of all accounts, as people see them.
  func ratings() throws(DatabaseError) -> [RatingChange] {
    var ratings: [RatingChange] = []
    try database.statement("SELECT account, game, points FROM ratings").run { row in
      ratings.append(
        RatingChange(account: row.integer(0), game: row.text(1), points: row.integer(2)))
    }
    return ratings
  }

  /// Counts a rated game. Returns what has changed. An account that is gone has the rating of a new
  /// player, which is not kept.
  func rate(_ game: GameResult, for accounts: PerMark<Int>) throws(DatabaseError) -> [RatingChange]
  {
    let entries = PerMark(
      x: try rating(of: accounts.x, in: game.game), o: try rating(of: accounts.o, in: game.game)
    ).updated(winner: game.outcome.winner)
    for mark in Mark.allCases { try set(entries[mark], of: accounts[mark], in: game.game) }
    return Mark.allCases.map {
      RatingChange(
        account: accounts[$0], game: game.game, points: entries[$0].rating.rounded)
    }
  }

  private func rating(of account: Int, in game: String) throws(DatabaseError) -> RatingEntry {
    var entry = RatingEntry()
    try selectRating.run(.integer(account), .text(game)) { row in
      entry = RatingEntry(row, at: 0)
    }
    return entry
  }

  /// Does nothing for an account that is gone.
  func set(
    _ entry: RatingEntry, of account: Int, in game: String
  ) throws(DatabaseError) {
    try replaceRating.run(
      .text(game), .integer(entry.rating.rounded), .real(entry.rating.value),
      .real(entry.rating.deviation), .real(entry.rating.volatility), .integer(entry.won),
      .integer(entry.lost), .integer(entry.drawn), .integer(account))
  }

  func leaderboard(of game: String) throws(DatabaseError) -> Leaderboard {
    var items: [LeaderboardItem] = []
    try selectLeaderboard.run(.text(game), .integer(ProtocolLimits.maxLeaderboardItems)) { row in
      items.append(
        LeaderboardItem(
          rank: items.count + 1, name: row.text(0), rating: row.integer(1),
          isProvisional: Rating(deviation: row.real(2)).isProvisional, won: row.integer(3),
          lost: row.integer(4), drawn: row.integer(5)))
    }
    return Leaderboard(game: game, items)
  }
}

extension RatingEntry {
  /// Takes `rating, deviation, volatility, won, lost, drawn` from a row, from a column on.
  init(_ row: Statement.Row, at column: Int) {
    self.init(
      rating: Rating(
        value: row.real(column), deviation: row.real(column + 1), volatility: row.real(column + 2)),
      won: row.integer(column + 3), lost: row.integer(column + 4), drawn: row.integer(column + 5))
  }
}
