import Foundation
import Shared

/// Says how much there is of everything.
enum StatsTool {
  static func run(_ options: ToolOptions) throws -> ExitCode {
    let data = try StoredData(options.data)
    let journal = try data.journal.summary("Reading")
    var rows: [(String, String)] = [
      ("running matches", Count.text(journal.liveMatches)),
      ("journal", "\(Count.of(journal.segments, "file")), \(Count.of(journal.bytes, "byte"))"),
    ]
    var kinds: [(String, String)] = []
    if let archive = data.archive {
      let size = try FileManager.default.attributesOfItem(
        atPath: "\(data.path)/\(Archive.fileName)")[.size]
      let players = try archive.number(
        "SELECT count(*) FROM (SELECT xKey FROM games UNION SELECT oKey FROM games)")
      rows += [
        ("finished matches", Count.text(try archive.number("SELECT count(*) FROM matches"))),
        (
          "without lines",
          Count.text(try archive.number("SELECT count(*) FROM matches WHERE lines IS NULL"))
        ),
        ("finished games", Count.text(try archive.number("SELECT count(*) FROM games"))),
        (
          "rated games",
          Count.text(try archive.number("SELECT count(*) FROM games WHERE xAccount IS NOT NULL"))
        ),
        ("players", Count.text(players)),
        ("accounts", Count.text(try archive.number("SELECT count(*) FROM accounts"))),
        ("archive", Count.of(size as? Int ?? 0, "byte")),
      ]
      try archive.database.statement(
        "SELECT game, count(*) FROM games GROUP BY game ORDER BY 2 DESC, 1"
      ).run { kinds.append(("games of \($0.text(0))", Count.text($0.integer(1)))) }
    }
    let width = (rows + kinds).map(\.0.count).max() ?? 0
    let lines = (rows + kinds).map { name, value in
      "\(name)\(String(repeating: " ", count: width - name.count))  \(value)\n"
    }
    return StandardOutput.write(lines.joined())
  }
}
