import Foundation
import Shared

/// Makes the ratings again from the results of all games, after these were checked.
enum RebuildTool {
  static func run(_ options: ToolOptions) throws -> ExitCode {
    guard FileManager.default.fileExists(atPath: "\(options.data)/\(Archive.fileName)") else {
      throw StoredData.missing(options.data)
    }
    // Keeps a server from starting meanwhile.
    let folder = try DataFolder(options.data, isForTool: true)
    let archive = try Archive(in: folder.path, with: try SQLite())
    let ids = try archive.matchIDs()
    let progress = Progress("Checking the history", of: ids.count)
    let history = try ResultsByMatch(archive, isForAll: true)
    var matches = 0
    for id in ids {
      progress.add(1)
      if try VerifyTool.archived(id, archive, history) != nil { matches += 1 }
    }
    try checkHasGames(archive)
    let before = try ratings(of: archive)
    let games = try rebuildRatings(in: archive)
    let after = try ratings(of: archive)
    let changed = Set(before.keys).union(after.keys).count { before[$0] != after[$0] }
    return StandardOutput.write(
      "The history agrees with the lines of \(Count.of(matches, "match", "matches")). Made"
        + " \(Count.of(after.count, "rating")) again from \(Count.of(games, "rated game"));"
        + " \(Count.text(changed)) of them \(changed == 1 ? "has" : "have") changed.\n")
  }

  /// Checks that the archive has the games behind its ratings: that of a cluster's backup does not.
  private static func checkHasGames(_ archive: Archive) throws {
    let rated = try archive.number("SELECT count(*) FROM games WHERE xAccount IS NOT NULL")
    let counted = try archive.number("SELECT coalesce(sum(won + lost + drawn), 0) FROM ratings")
    guard counted > 2 * rated else { return }
    throw StartError(
      code: .damaged,
      sentence:
        "The archive has \(Count.of(rated, "rated game")), and its ratings are those of more."
        + " They cannot be made again: a backup of a cluster does not have all rated games.")
  }

  /// Returns the number of rated games.
  static func rebuildRatings(in archive: Archive) throws -> Int {
    // Of deleted accounts too, because their games count for the others.
    var entries: [Int: [String: RatingEntry]] = [:]
    var games = 0
    try archive.forEachRatedGame { game in
      guard let accounts = game.accounts else { return }
      games += 1
      let new = accounts.map { entries[$0]?[game.game] ?? RatingEntry() }
        .updated(winner: game.outcome.winner)
      for mark in Mark.allCases { entries[accounts[mark], default: [:]][game.game] = new[mark] }
    }
    try archive.database.transaction {
      try archive.database.execute("DELETE FROM ratings")
      for (account, games) in entries {
        for (game, entry) in games { try archive.set(entry, of: account, in: game) }
      }
    }
    return games
  }

  private static func ratings(of archive: Archive) throws -> [String: String] {
    var ratings: [String: String] = [:]
    try archive.database.statement(
      "SELECT account, game, rating, deviation, volatility, won, lost, drawn FROM ratings"
    ).run { row in
      ratings["\(row.integer(0)) \(row.text(1))"] = RatingEntry(row, at: 2).text
    }
    return ratings
  }
}
