import Foundation
import TestSupport
import Testing

@testable import Server
@testable import Shared

/// What the nodes of a cluster have in common goes from an engine into a backup, and back.
@Suite(.enabled(if: RedisServer.isInstalled, "no redis-server here"))
struct ClusterBackupTests {
  private let redis: RedisServer
  private let address: RedisAddress
  private let reader: RedisReader
  private let backups = TemporaryFolder()
  private var backup: String { "\(backups.path)/one" }

  init() throws {
    redis = try RedisServer()
    address = try RedisAddress("redis://127.0.0.1:\(redis.port)")
    reader = try RedisReader(address, within: .seconds(60))
  }

  private func ask(_ words: String...) throws -> RedisReply {
    var commands = RedisCommands()
    commands.add(words)
    return try reader.replies(to: commands)[0]
  }

  private func result(_ number: Int, _ x: String, _ o: String, ended: Int) -> String {
    "\(number)\n"
      + GameResult(
        match: "north-\(number)", game: "tictactoe", players: PerMark(x: x, o: o), accounts: nil,
        outcome: Outcome(winner: .x, reason: .line), moves: 5, ended: ended
      ).text
  }

  /// Two accounts, three games, of which two are in the lists of guests too, and a ban.
  private func fill(now: Int) throws {
    for (id, name) in [(4, "Ann"), (9, "bob")] {
      let key = try #require(PlayerName.key(of: name))
      _ = try ask(
        "HSET", RedisKey.account(key), "id", "\(id)", "name", name, "password", "$y$\(name)",
        "r:tictactoe", RatingEntry(won: id, lost: 1, drawn: 0).text)
      _ = try ask("ZADD", "l:tictactoe", "-1500", RedisKey.member(name, key))
    }
    _ = try ask("SET", RedisKey.accounts, "12")
    _ = try ask("SET", RedisKey.lives, "41")
    for (number, o) in [(7, "bob"), (8, "guest"), (9, "bob")] {
      let text = result(number, "Ann", o, ended: now - 1_000 + number)
      for key in ["h:", "h:ann", "h:\(o)"] { _ = try ask("LPUSH", key, text) }
    }
    let record = OperatorRecord(bans: [
      Ban(subject: try BanSubject("192.0.2.7"), term: Term(end: nil))
    ])
    let text = String(decoding: RecordEncoder().payload(record), as: UTF8.self)
    _ = try ask("SET", RedisKey.decisions, text)
    _ = try ask("SET", RedisKey.decisionsVersion, "3")
  }

  private func run(_ tool: Tool, _ words: String...) throws -> ExitCode {
    try tool.run(words + ["--cluster", "redis://127.0.0.1:\(redis.port)"])
  }

  @Test func `accounts, ratings, results and bans come back as they were`() throws {
    try fill(now: Date().milliseconds)
    func contents() throws -> [RedisReply] {
      try ["a:ann", "a:bob"].flatMap { try [ask("HGETALL", $0)] }
        + ["h:", "h:ann", "h:bob", "h:guest"].map { key in
          // The games get new numbers, in the same order.
          .array(
            try #require(try ask("LRANGE", key, "0", "-1").elements).map { entry in
              let found = GameResult.entry(entry.text ?? "")
              return .status(found?.result.text ?? "")
            })
        } + [ask("ZRANGE", "l:tictactoe", "0", "-1", "WITHSCORES")]
        + ["accounts", RedisKey.lives, RedisKey.decisions].map { try ask("GET", $0) }
    }
    let before = try contents()
    #expect(try run(.backup, backup) == .ok)
    #expect(try BackupMark.read(in: backup) == BackupMark(isWhole: true, lives: 41))
    #expect(try ask("EXISTS", RedisKey.lastBackup) == .integer(1))
    #expect(try Tool.check.run(["--data", backup]) == .ok)
    #expect(try run(.restore, backup) == .cannotCreate)
    _ = try ask("FLUSHDB")
    #expect(try run(.restore, backup) == .ok)
    #expect(try contents() == before)
    #expect(try ask("EXISTS", RedisKey.restoring) == .integer(0))
    #expect(try #require(try ask("PTTL", "h:guest").number) > 89 * 86_400_000)
    #expect(try run(.restore, backup) == .cannotCreate)
  }

  @Test func `a server that stands alone goes on with a backup of a cluster`() throws {
    try fill(now: Date().milliseconds)
    #expect(try run(.backup, backups.path, "--keep", "2") == .ok)
    let newest = try #require(BackupFolder.newest(in: backups.path))
    let target = TemporaryFolder()
    try FileManager.default.removeItem(atPath: target.path)
    #expect(try Tool.restore.run([newest, "--data", target.path]) == .ok)
    let fixture = try StoreFixture(folder: target)
    let account = fixture.recovery.directory.account(of: try PlayerName("ann"))
    #expect(account?.id == 4 && account?.password == "$y$Ann")
    let archive = try Archive(in: target.path, .readOnly, with: try SQLite())
    #expect(try archive.number("SELECT count(*) FROM games") == 3)
    #expect(try archive.number("SELECT won FROM ratings WHERE account = 9") == 9)
    // Their results are not all here, so the ratings cannot be made again.
    fixture.recovery.store.stop()
    #expect(try Tool.rebuild.run(["--data", newest]) == .damaged)
    #expect(try archive.number("SELECT count(*) FROM ratings") == 2)
  }

  @Test func `a restore that was broken off is not taken for a whole one`() throws {
    try fill(now: Date().milliseconds)
    #expect(try run(.backup, backup) == .ok)
    _ = try ask("FLUSHDB")
    _ = try ask("SET", RedisKey.restoring, "1")
    #expect(try run(.restore, backup) == .cannotCreate)
    // What the tools note does not count as data.
    _ = try ask("FLUSHDB")
    _ = try ask("SET", RedisKey.lastArchive, "1")
    #expect(try run(.restore, backup) == .ok)
  }

  @Test func `an account that is damaged is named, and the rest is copied`() throws {
    try fill(now: Date().milliseconds)
    _ = try ask("HDEL", "a:bob", "password")
    _ = try ask("LPUSH", "h:ann", "nonsense")
    let folder = TemporaryFolder()
    let report = try ClusterBackup.copy(from: reader, to: folder.path)
    #expect(report.accounts == 1 && report.games == 3 && report.damaged.count == 2)
    #expect(try run(.backup, backup) == .damaged)
    #expect(try BackupMark.read(in: backup)?.isWhole == true)
  }
}
