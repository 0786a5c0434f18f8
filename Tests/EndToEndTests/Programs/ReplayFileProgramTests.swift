import Foundation
import Testing

/// `--replay FILE` with the real client, without a server.
@Suite struct ReplayFileProgramTests {
  private let folder = NSTemporaryDirectory() + "tictactoe-replay-\(UUID().uuidString)/"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private let lines = [
    #"{"type":"gameDidStart","match":"zrg3","seq":1,"game":"tictactoe","players":{"X":"ann","O":"bot"},"rows":3,"cols":3,"inARow":3,"board":["...","...","..."],"turn":"X","score":{"X":0,"O":0,"draws":0}}"#,
    #"{"type":"boardDidChange","match":"zrg3","seq":2,"cells":[{"row":1,"col":1,"mark":"X"}],"turn":"O","hash":"afa687df"}"#,
    #"{"type":"boardDidChange","match":"zrg3","seq":3,"cells":[{"row":2,"col":2,"mark":"O"}],"turn":"X","hash":"0ea71d6c"}"#,
  ]

  private func replay(_ lines: [String]?) throws -> RunningProgram {
    let path = folder + "match.txt"
    if let lines {
      try Data(lines.map { "\($0)\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
    }
    return try RunningProgram(product: "tictactoe-client", ["--replay", path])
  }

  @Test func `a file is shown, and the program ends with 0`() throws {
    let client = try replay(lines)
    #expect(try client.readToEnd().contains("bot puts O on 9."))
    #expect(try client.exitCode() == 0)
  }

  @Test func `damage is reported, and the exit code is 65`() throws {
    let client = try replay([lines[0], lines[2]])
    _ = try client.readToEnd()
    #expect(try client.errorOutput().contains("line 2: The event does not follow event 1."))
    #expect(try client.exitCode() == 65)
  }

  @Test func `a file that is no match names its line, and a missing one has a code of its own`()
    throws
  {
    let other = try replay([lines[0], "Dear diary,"])
    #expect(try other.errorOutput().contains("match.txt, line 2: "))
    #expect(try other.exitCode() == 65)
    try FileManager.default.removeItem(atPath: folder + "match.txt")
    let missing = try replay(nil)
    #expect(try missing.errorOutput().contains("There is no file"))
    #expect(try missing.exitCode() == 66)
  }
}
