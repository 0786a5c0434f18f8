import Foundation

/// What the real server has told clients, in the files of the folder beside this: the greeting, the
/// answer to the login, and the rest of a session.
enum Transcripts {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Transcripts")

  /// The lines of each; in the same order everywhere.
  static func load() throws -> [[String]] {
    try ["bot", "people", "return", "shutdown", "spectator"].map { name in
      let file = folder.appendingPathComponent("\(name).txt")
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
  }
}
