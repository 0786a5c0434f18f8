import Foundation
import Shared

/// Puts the accounts, ratings, results and operator's decisions of a backup into an empty engine.
/// The backup may be that of a cluster, or of a server that stood alone.
///
/// A key says that this goes on. Nodes do not start while it is there, so half of a backup never
/// looks like a whole one.
struct ClusterRestore {
  /// How many rows are written at a time.
  static let batch = 100
  /// As long as `RedisScript.writeResult` keeps the games of a name.
  static let historyTime = 90 * 86_400_000

  private let archive: Archive
  private let reader: RedisReader
  private let address: RedisAddress
  private var commands = RedisCommands()
  private var report = ClusterBackup.Report()

  init(_ archive: Archive, to reader: RedisReader, at address: RedisAddress) {
    self.archive = archive
    self.reader = reader
    self.address = address
  }

  /// Writes everything. `lives` is how many lives the nodes of the cluster have had.
  ///
  /// - Throws: a sentence for people if the engine is not empty, or fails.
  mutating func run(
    _ decisions: OperatorRecord, lives: Int, at now: Date
  ) throws -> ClusterBackup.Report {
    try begin()
    try writeAccounts()
    try writeRatings()
    try writeGames(since: now.milliseconds - Self.historyTime)
    let last = try archive.number("SELECT max(seq) FROM sqlite_sequence WHERE name = 'accounts'")
    commands.add("SET", RedisKey.accounts, String(last))
    commands.add("SET", RedisKey.games, String(report.games))
    commands.add("SET", RedisKey.lives, String(lives))
    if decisions != OperatorRecord() {
      let text = String(decoding: RecordEncoder().payload(decisions), as: UTF8.self)
      commands.add("SET", RedisKey.decisions, text)
      commands.add("SET", RedisKey.decisionsVersion, "1")
    }
    try flush()
    _ = try reader.reply(to: "DEL", RedisKey.restoring)
    return report
  }

  private func begin() throws {
    var commands = RedisCommands()
    commands.add(
      .beginRestore,
      keys: [RedisKey.restoring, RedisKey.lastArchive, RedisKey.lastBackup], arguments: [])
    let number = try reader.replies(to: commands)[0].number
    guard let number, number != 0 else { return }
    throw StartError(
      code: .cannotCreate,
      sentence: number < 0
        ? "A restore into the engine at \(address) goes on, or was broken off. If it was, empty the"
          + " engine with FLUSHDB, and restore again."
        : "The engine at \(address) is not empty: it has \(Count.of(number, "key")). Stop all"
          + " nodes, and name a database without data, or empty this one with FLUSHDB.")
  }

  private mutating func writeAccounts() throws {
    for account in try archive.accounts() {
      commands.add(
        "HSET", RedisKey.account(account.key), "id", String(account.id), "name", account.name,
        "password", account.password)
      report.accounts += 1
      try flushIfMany()
    }
  }

  private mutating func writeRatings() throws {
    var rows: [(name: String, key: ExactText, game: String, entry: RatingEntry)] = []
    try archive.database.statement(
      """
      SELECT accounts.name, key, game, rating, deviation, volatility, won, lost, drawn
      FROM ratings JOIN accounts ON account = id
      """
    ).run { row in
      rows.append(
        (row.text(0), ExactText(row.text(1)), row.text(2), RatingEntry(row, at: 3)))
    }
    for row in rows {
      commands.add(
        "HSET", RedisKey.account(row.key), RedisKey.rating(row.game), row.entry.text)
      commands.add(
        "ZADD", RedisKey.leaderboard(row.game), String(-row.entry.rating.rounded),
        RedisKey.member(row.name, row.key))
      report.ratings += 1
      try flushIfMany()
    }
  }

  /// The games of a name are kept if its last one has ended after `since`.
  private mutating func writeGames(since: Int) throws {
    let all = try archive.number("SELECT count(*) FROM games")
    let progress = Progress("Restoring", of: all)
    var lastGames: [ExactText: Int] = [:]
    var next = 0
    while case let page = try archive.results(after: next, count: Self.batch), !page.isEmpty {
      for (id, result) in page {
        next = id
        for key in Set(Self.keys(of: result)) {
          lastGames[key] = max(lastGames[key] ?? 0, result.ended)
        }
      }
    }
    next = 0
    while case let page = try archive.results(after: next, count: Self.batch), !page.isEmpty {
      for (id, result) in page {
        next = id
        report.games += 1
        var lists = Self.keys(of: result).filter { lastGames[$0] ?? 0 > since }.map {
          RedisKey.history($0)
        }
        // Lists that are longer are cut, so what would be cut is left out.
        if report.games > all - RedisKey.maxGames { lists.append(RedisKey.history(nil)) }
        guard !lists.isEmpty else { continue }
        commands.add(
          .restoreGame, keys: lists,
          arguments: [
            "\(report.games)\n\(result.text)", String(RedisKey.maxGamesPerPlayer),
            RedisKey.history(nil),
          ])
      }
      try flush()
      progress.add(page.count)
    }
    for (key, ended) in lastGames where ended > since {
      commands.add("PEXPIREAT", RedisKey.history(key), String(ended + Self.historyTime))
      try flushIfMany()
    }
    try flush()
  }

  private static func keys(of result: GameResult) -> [ExactText] {
    Mark.allCases.map { ExactText(Archive.key(of: result.players[$0])) }
  }

  private mutating func flushIfMany() throws { if commands.count >= Self.batch { try flush() } }

  private mutating func flush() throws {
    guard !commands.isEmpty else { return }
    _ = try reader.replies(to: commands)
    commands = RedisCommands()
  }
}

extension RedisScript {
  /// Begins to restore a backup into an engine that is empty. Returns 0; -1 if that was begun
  /// before; otherwise the number of keys.
  ///
  /// Keys: the one that says so; those that an empty engine may have.
  fileprivate static let beginRestore = RedisScript(
    name: "beginRestore",
    text: """
      if redis.call('EXISTS', KEYS[1]) == 1 then return -1 end
      local count = redis.call('DBSIZE') - redis.call('EXISTS', KEYS[2], KEYS[3])
      if count > 0 then return count end
      redis.call('SET', KEYS[1], 1)
      return 0
      """)

  /// Adds a finished game to lists. Arguments: the game, how many are kept of a player, the list of
  /// all.
  fileprivate static let restoreGame = RedisScript(
    name: "restoreGame",
    text: """
      for i = 1, #KEYS do
        redis.call('LPUSH', KEYS[i], ARGV[1])
        if KEYS[i] ~= ARGV[3] then redis.call('LTRIM', KEYS[i], 0, ARGV[2] - 1) end
      end
      return redis.status_reply('OK')
      """)
}
