import Shared
import TestSupport
import Testing

@testable import Server

/// The games of a player in the archive, by whatever number a page begins.
@Suite struct ArchiveHistoryTests {
  private let names = ["ann", "Bob", "cleo", "dora"]

  private func result(_ index: Int) -> GameResult {
    // The first player is in three games of four, on both sides.
    let pair = [(0, 1), (2, 0), (0, 3), (1, 2)][index % 4]
    return GameResult(
      match: "m\(index)", game: "tictactoe", players: PerMark(x: names[pair.0], o: names[pair.1]),
      accounts: nil, outcome: Outcome(winner: .x, reason: .line), moves: 5, ended: index)
  }

  private func add(_ games: Range<Int>, to archive: Archive) throws {
    for index in games {
      let game = result(index)
      try archive.add(game, keys: game.players.map { Archive.key(of: $0) })
    }
  }

  /// An archive in which each transaction has so many games.
  private func archive(_ count: Int, perTransaction size: Int) throws -> Archive {
    let archive = try Archive(Database(":memory:", .readWrite, with: try SQLite()))
    for start in stride(from: 0, to: count, by: size) {
      try archive.addGames { try add(start..<min(start + size, count), to: archive) }
    }
    return archive
  }

  private func ids(
    _ archive: Archive, of name: String, before: Int?
  ) throws -> (ids: [Int], next: Int?) {
    let key = try #require(PlayerName.key(of: name))
    let page = try archive.history(of: key, before: before, now: 0)
    return (page.items.map(\.id), page.next)
  }

  /// The ids of a player's games, the last one first.
  private func expectedIDs(of name: String, _ count: Int) -> [Int] {
    (0..<count).filter { result($0).players.x == name || result($0).players.o == name }
      .map { $0 + 1 }.reversed()
  }

  private func expectHistory(_ archive: Archive, _ count: Int) throws {
    let limit = ProtocolLimits.maxHistoryItems
    for name in names {
      let all = expectedIDs(of: name, count)
      for before in [nil, 0, 1, 2, 3] + Array(stride(from: 4, to: count + 9, by: 7)) + [.max] {
        let older = all.filter { $0 < before ?? .max }
        let page = try ids(archive, of: name, before: before)
        #expect(page.ids == Array(older.prefix(limit)), "\(name) before \(before ?? -1)")
        #expect(page.next == (older.count > limit ? older[limit - 1] : nil))
      }
    }
  }

  @Test(arguments: [1, 7, 100, 1_000])
  func `a page has the games of a player before any number`(size: Int) throws {
    try expectHistory(try archive(600, perTransaction: size), 600)
  }

  /// Then chains are written before the transaction ends, and read again.
  @Test func `a transaction has the games of many players`() throws {
    let archive = try Archive(Database(":memory:", .readWrite, with: try SQLite()))
    let count = 2 * PlayerChains.maxWaiting
    try archive.addGames {
      for index in 0..<count {
        // Each plays against the one before, and all against Ann.
        let game = GameResult(
          match: "m\(index)", game: "tictactoe",
          players: PerMark(x: index.isMultiple(of: 2) ? "ann" : "p\(index - 1)", o: "p\(index)"),
          accounts: nil, outcome: Outcome(winner: .x, reason: .line), moves: 5, ended: index)
        try archive.add(game, keys: game.players)
      }
    }
    #expect(try ids(archive, of: "p0", before: nil).ids == [2, 1])
    #expect(try ids(archive, of: "p\(count - 1)", before: nil).ids == [count])
    let ofAnn = Array(stride(from: count - 1, to: 0, by: -2).prefix(ProtocolLimits.maxHistoryItems))
    #expect(try ids(archive, of: "ann", before: nil).ids == ofAnn)
  }

  @Test func `the letters' case of a name does not matter, and a stranger has no games`() throws {
    let archive = try archive(8, perTransaction: 3)
    #expect(try ids(archive, of: "BOB", before: nil).ids == expectedIDs(of: "Bob", 8))
    #expect(try ids(archive, of: "eve", before: nil).ids == [])
    #expect(try ids(archive, of: "eve", before: 5).ids == [])
  }

  @Test func `the games of a transaction that fails are in nobody's history`() throws {
    let archive = try archive(70, perTransaction: 70)
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try archive.addGames {
        try add(70..<300, to: archive)
        throw Failure()
      }
    }
    try archive.addGames { try add(70..<100, to: archive) }
    try expectHistory(archive, 100)
  }

  @Test func `an archive of version 1 is converted`() throws {
    let folder = TemporaryFolder()
    try writeVersion1(300, in: folder)
    let archive = try Archive(in: folder.path, with: try SQLite())
    try expectHistory(archive, 300)
    #expect(try archive.number("SELECT count(*) FROM players") == names.count)
    #expect(try archive.number("PRAGMA user_version") == 2)
    // Games that come later are links of the same chains.
    try archive.addGames { try add(300..<500, to: archive) }
    try expectHistory(archive, 500)
    try expectHistory(try Archive(in: folder.path, .readOnly, with: try SQLite()), 500)
    // It is the same as one in which the games were added.
    let added = try self.archive(500, perTransaction: 9)
    for table in ["games", "players", "milestones"] {
      #expect(try rows(of: table, archive) == rows(of: table, added))
    }
  }

  @Test func `a tool that only reads says who converts an archive of version 1`() throws {
    let folder = TemporaryFolder()
    try writeVersion1(3, in: folder)
    let error = #expect(throws: StartError.self) {
      try Archive(in: folder.path, .readOnly, with: try SQLite())
    }
    #expect(
      error?.sentence == "\(folder.path)/archive.db was written by an older server. Start this"
        + " version on it once, which converts it.")
    #expect(error?.code == .unavailable)
  }

  @Test func `a repair converts an archive of version 1`() throws {
    let folder = TemporaryFolder()
    try writeVersion1(3, in: folder)
    try SegmentFolder(path: "\(folder.path)/journal").create()
    #expect(try Tool.check.run(["--data", folder.path]) == .unavailable)
    #expect(try Tool.check.run(["--repair", "--data", folder.path]) == .ok)
    #expect(try Tool.check.run(["--data", folder.path]) == .ok)
    try expectHistory(try Archive(in: folder.path, .readOnly, with: try SQLite()), 3)
  }

  private func rows(of table: String, _ archive: Archive) throws -> [String] {
    let columns = [
      "games": ["id", "match", "game", "x", "o", "xPrevious", "oPrevious", "xAccount", "oAccount"]
        + ["winner", "reason", "moves", "ended"],
      "players": ["key", "latest", "games"], "milestones": ["key", "link"],
    ]
    let text = try #require(columns[table]).map { "quote(\($0))" }.joined(separator: " || ' ' || ")
    var rows: [String] = []
    try archive.database.statement("SELECT \(text) AS line FROM \(table) ORDER BY line").run {
      rows.append($0.text(0))
    }
    return rows
  }

  /// Writes what an older server wrote, as far as `games` goes.
  private func writeVersion1(_ count: Int, in folder: TemporaryFolder) throws {
    let database = try Database(
      "\(folder.path)/\(Archive.fileName)", .readWrite, with: try SQLite())
    try database.execute(
      """
      \(Archive.schema)
      DROP TABLE games;
      DROP TABLE players;
      DROP TABLE milestones;
      CREATE TABLE games (
        id INTEGER PRIMARY KEY, match TEXT NOT NULL, game TEXT NOT NULL,
        x TEXT NOT NULL, o TEXT NOT NULL, xKey TEXT NOT NULL, oKey TEXT NOT NULL,
        xAccount INTEGER, oAccount INTEGER, winner TEXT, reason TEXT NOT NULL,
        moves INTEGER NOT NULL, ended INTEGER NOT NULL);
      CREATE INDEX gamesOfX ON games (xKey);
      CREATE INDEX gamesOfO ON games (oKey);
      PRAGMA user_version = 1;
      """)
    let insert = try database.statement(
      """
      INSERT INTO games (match, game, x, o, xKey, oKey, winner, reason, moves, ended)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    for index in 0..<count {
      let game = result(index)
      try insert.run(
        .text(game.match), .text(game.game), .text(game.players.x), .text(game.players.o),
        .text(Archive.key(of: game.players.x)), .text(Archive.key(of: game.players.o)),
        .text(game.outcome.winner?.letter), .text(game.outcome.reason.rawValue),
        .integer(game.moves), .integer(game.ended))
    }
  }
}
