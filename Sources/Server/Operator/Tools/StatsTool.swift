import Foundation
import Shared

/// Says how much there is of everything.
enum StatsTool {
  static func run(_ options: ToolOptions) throws -> ExitCode {
    let data = try StoredData(options.data)
    let journal = try data.journal.summary("Reading")
    var rows: [(String, String)] = [
      ("running matches", Count.text(journal.liveMatches)),
      ("journal", "\(Count.of(journal.segments, "file")), \(try diskUse(data.journal.path))"),
    ]
    var kinds: [(String, String)] = []
    if let archive = data.archive {
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
        ("players", Count.text(try archive.number("SELECT count(*) FROM players"))),
        ("accounts", Count.text(try archive.number("SELECT count(*) FROM accounts"))),
        ("archive", try diskUse(data.path, Archive.fileName)),
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

  private static func diskUse(_ folder: String, _ prefix: String = "") throws -> String {
    "\(Count.of(try bytesOnDisk(folder, prefix), "byte")) on the disk"
  }

  /// Returns what the files of a folder take up whose names begin with `prefix`, with what is
  /// allocated in advance. With the name of a database, the files that SQLite puts beside it count.
  static func bytesOnDisk(_ folder: String, _ prefix: String = "") throws -> Int {
    guard FileManager.default.fileExists(atPath: folder) else { return 0 }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix(prefix) }
      .reduce(0) { sum, name in
        var status = stat()
        // The server may have removed it since.
        guard lstat("\(folder)/\(name)", &status) == 0 else { return sum }
        // The system counts in units of 512 bytes, whatever the file system's blocks are.
        return sum + 512 * Int(status.st_blocks)
      }
  }
}
