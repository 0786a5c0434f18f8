import Foundation
import Testing

/// docs/playing.md lists the keys that the scenes explain.
@Suite struct PlayingPageTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The rooms whose scenes have the keys of a place in the table.
  @Test(arguments: [
    (["the lobby", "after a game"], ["OffGame"]),
    (["everywhere", "a game", "a match"], ["TicTacToe", "Root"]),
    (["the history"], ["History"]), (["the ranking"], ["Leaderboard"]), (["a replay"], ["Replay"]),
    (["the form"], ["LoggedOut"]),
  ])
  func `the table of keys is that of the scenes`(places: [String], rooms: [String]) throws {
    let keys = try Set(rooms.flatMap(Self.keys))
    let documented = try Set(places.flatMap(Self.documentedKeys))
    #expect(documented == keys, "\(places) in the table, \(rooms) in the sources")
  }

  /// The keys of one character that a room explains, without those that answer a question and `?`,
  /// which explains the others.
  private static func keys(of room: String) throws -> [String] {
    let folder = project.appendingPathComponent("Sources/Client/\(room)")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var keys: [String] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /KeyHelp\(\s*"([^"\\]+)"/) {
        keys += match.1.split { " ,".contains($0) }.map(String.init)
      }
    }
    return keys.filter { $0.utf8.count == 1 && !["?", "y"].contains($0) }
  }

  private static func documentedKeys(of place: String) throws -> [String] {
    let page = try String(
      contentsOf: project.appendingPathComponent("docs/playing.md"), encoding: .utf8)
    var (keys, current) = ([String](), "")
    for row in try DocumentTable.rows(after: "| where | key |", in: page) {
      if !row[0].isEmpty { current = row[0] }
      guard current == place else { continue }
      // A digit is that of a cell.
      keys += DocumentTable.code(in: row[1]).filter { $0.first?.isNumber == false }
    }
    return keys
  }
}
