import Foundation
import Shared

/// Copies what the nodes of a cluster have in common from the engine into a folder: accounts,
/// ratings, results, and the operator's decisions. The copy is a data folder without a journal, so
/// other tools read it, and a server that stands alone can go on with it. Matches are not in it.
///
/// Nodes may write meanwhile. A game that ends then may count for one of its players only.
enum ClusterBackup {
  /// How many keys the engine looks at in one step.
  static let scanCount = 1_000
  /// How many keys are read at a time.
  static let batch = 100

  struct Report: Equatable {
    var accounts = 0
    var ratings = 0
    var games = 0
    /// What was left out, each with a sentence for people.
    var damaged: [String] = []

    var text: String {
      "\(Count.of(accounts, "account")), \(Count.of(ratings, "rating")) and"
        + " \(Count.of(games, "finished game"))"
    }
  }

  static func copy(from reader: RedisReader, to target: String) throws -> Report {
    try BackupMark().write(in: target)
    var report = Report()
    let database = "\(target)/\(Archive.fileName)"
    do {
      let archive = try Archive(in: target, with: try SQLite())
      try archive.database.transaction { try copyAccounts(reader, to: archive, &report) }
      try copyGames(reader, to: archive, &report)
      // Last, so that none of what was read has a higher one.
      let accounts = try reader.reply(to: "GET", RedisKey.accounts).number ?? 0
      try archive.reserveAccounts(upTo: accounts)
      try archive.synchronize()
    }
    try NewFile.synchronize(database)
    if let text = try reader.reply(to: "GET", RedisKey.decisions).text {
      guard let record = try? JSONDecoder().decode(OperatorRecord.self, from: Data(text.utf8))
      else {
        throw StartError(
          code: .damaged, sentence: "The operator's bans in the engine cannot be read.")
      }
      try OperatorFile.write(record, in: target)
    }
    let lives = try reader.reply(to: "GET", RedisKey.lives).number ?? 0
    try BackupMark(isWhole: true, lives: lives).write(in: target)
    return report
  }

  private static func copyAccounts(
    _ reader: RedisReader, to archive: Archive, _ report: inout Report
  ) throws {
    let prefix = RedisKey.account(ExactText(""))
    let add = try archive.database.statement(
      "INSERT OR REPLACE INTO accounts (id, key, name, password, created) VALUES (?, ?, ?, ?, ?)")
    let now = Date().milliseconds
    try forEachKey(prefix, "HGETALL", in: reader) { name, reply in
      let (key, words) = (ExactText(String(name.dropFirst(prefix.count))), reply.elements ?? [])
      // It was deleted meanwhile.
      guard !words.isEmpty else { return }
      guard let entry = RedisAccount(words, key: key) else {
        report.damaged.append("The account \(name) in the engine is damaged, and was left out.")
        return
      }
      let account = entry.account
      try add.run(
        .integer(account.id), .text(key.text), .text(account.name), .text(account.password),
        .integer(now))
      for (game, rating) in entry.ratings { try archive.set(rating, of: account.id, in: game) }
    }
    // A key may be found twice.
    report.accounts = try archive.number("SELECT count(*) FROM accounts")
    report.ratings = try archive.number("SELECT count(*) FROM ratings")
  }

  /// Each game is in the list of all, and in those of its players.
  private static func copyGames(
    _ reader: RedisReader, to archive: Archive, _ report: inout Report
  ) throws {
    try archive.database.execute("CREATE TEMP TABLE found (id INTEGER PRIMARY KEY, entry TEXT)")
    let add = try archive.database.statement("INSERT OR IGNORE INTO found VALUES (?, ?)")
    try archive.database.transaction {
      try forEachKey(RedisKey.history(nil), "LRANGE", "0", "-1", in: reader) { name, reply in
        for entry in reply.elements ?? [] {
          guard let text = entry.text, let found = GameResult.entry(text) else {
            report.damaged.append("A game in \(name) is damaged, and was left out.")
            continue
          }
          try add.run(.integer(found.id), .text(text))
        }
      }
    }
    try archive.addGames {
      var failure: (any Error)?
      try archive.database.statement("SELECT entry FROM found ORDER BY id").run { row in
        guard failure == nil, let result = GameResult.entry(row.text(0))?.result else { return }
        do {
          try archive.add(result, keys: result.players.map { Archive.key(of: $0) })
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
    report.games = try archive.number("SELECT count(*) FROM games")
  }

  /// Calls `body` with each key that has a prefix, and the reply to a command for it. The key comes
  /// after the first word of the command.
  private static func forEachKey(
    _ prefix: String, _ command: String..., in reader: RedisReader,
    _ body: (String, RedisReply) throws -> Void
  ) throws {
    let progress = Progress("Copying")
    try reader.forEachKeys(matching: "\(prefix)*", count: scanCount) { keys in
      for start in stride(from: 0, to: keys.count, by: batch) {
        let part = keys[start..<min(start + batch, keys.count)]
        var commands = RedisCommands()
        for key in part { commands.add([command[0], key] + command.dropFirst()) }
        for (key, reply) in zip(part, try reader.replies(to: commands)) { try body(key, reply) }
        progress.add(part.count)
      }
    }
  }

  /// Notes in the engine when the last backup was made, for the metrics of the nodes.
  static func note(at time: Date, in reader: RedisReader) throws {
    _ = try reader.reply(to: "SET", RedisKey.lastBackup, String(time.milliseconds))
  }
}
