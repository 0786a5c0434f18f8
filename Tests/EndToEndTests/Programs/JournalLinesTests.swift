import Foundation
import Testing

/// The exercise of chapter 6 of the tutorial.
@Suite struct JournalLinesTests {
  @Test func `the lines of a match in the journal are those of a spectator`() throws {
    let folder = NSTemporaryDirectory() + "tictactoe-lines-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try RunningServer(["--data", folder])
    let (ann, eve) = (try SocketSession(port: server.port), try SocketSession(port: server.port))
    func read(_ session: SocketSession, until text: String) throws -> String {
      while let line = try session.readLine() { if line.contains(text) { return line } }
      throw RunningProgram.TimeoutError(description: "“\(text)” did not come.")
    }
    try ann.type("login ann\nstart bot")
    let start = try read(ann, until: "gameDidStart")
    let match = String(try #require(start.firstMatch(of: /"match":"([^"]+)"/)).1)
    try eve.type("login eve\nwatch \(match)")
    _ = try read(eve, until: "matchSnapshot")
    try ann.type("say hello\nresign\nleave")
    var lines: [String] = []
    while lines.last?.contains("matchDidEnd") != true {
      lines.append(try read(eve, until: #""seq""#))
    }
    let tool = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "docs/tutorial/journal-lines")
    let program = try RunningProgram(tool, [folder + "/journal/00000001.log", match])
    let kept = try program.readToEnd().split(separator: "\n").map(String.init)
    #expect(kept.count == lines.count + 1)
    #expect(kept.dropFirst() == lines[...])
  }
}
