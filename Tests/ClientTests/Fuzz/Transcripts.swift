import Foundation

/// Recorded sessions of the real server: hello, the answer to the login, and the other lines. They
/// are in the folder `Transcripts` beside this file.
enum Transcripts {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Transcripts")

  /// The lines of each transcript, always in the same order.
  static func load() throws -> [[String]] {
    try ["bot", "people", "return", "shutdown", "spectator", "games"].map { name in
      let file = folder.appendingPathComponent("\(name).txt")
      return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
  }
}
