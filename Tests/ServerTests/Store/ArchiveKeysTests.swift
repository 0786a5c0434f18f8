import Shared
import TestSupport
import Testing

@testable import Server

/// The accounts of an older server, which compared some names in another way.
@Suite struct ArchiveKeysTests {
  private let archive: Archive

  init() throws {
    archive = try Archive(Database(":memory:", .readWrite, with: try SQLite()))
  }

  /// Adds an account with the key that an older server gave it, and a game.
  private func add(_ name: String, key: String) throws {
    try archive.database.statement(
      "INSERT INTO accounts (key, name, password, created) VALUES (?, ?, 'hash', 1)"
    ).run(.text(key), .text(name))
    let game = GameResult(
      match: "m", game: "tictactoe", players: PerMark(x: name, o: "zoe"), accounts: nil,
      outcome: Outcome(winner: .x, reason: .line), moves: 5, ended: 1)
    try archive.addGames { try archive.add(game, keys: PerMark(x: key, o: "zoe")) }
  }

  private func gameCount(of name: String) throws -> Int {
    try archive.history(of: PlayerName.key(of: name), before: nil, now: 0).items.count
  }

  @Test func `they get the keys of this one, and keep their games`() throws {
    try add("Ann\u{2800}", key: "ann\u{2800}")
    try add("\u{2764}\u{FE0F}", key: "\u{2764}\u{FE0F}")
    try add("bob", key: "bob")
    #expect(try archive.updateKeys() == [])
    let keys = try archive.accounts().map(\.key)
    #expect(keys == [ExactText("ann"), ExactText("\u{2764}"), ExactText("bob")])
    for name in ["ann", "ANN\u{2800}", "\u{2764}", "bob"] { #expect(try gameCount(of: name) == 1) }
    #expect(try archive.updateKeys() == [])
  }

  @Test func `an account whose name is that of another one is named, and changes nothing`() throws {
    try add("ann\u{2800}", key: "ann\u{2800}")
    try add("ann", key: "ann")
    try add("bot\u{2800}", key: "bot\u{2800}")
    #expect(try archive.updateKeys() == ["ann\u{2800}"])
    #expect(try archive.accounts().map(\.name).count == 3)
    #expect(try gameCount(of: "ann") == 1)
  }
}
