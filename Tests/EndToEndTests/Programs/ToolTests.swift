import Foundation
import Testing

/// The operator's tools, beside the real server and after it.
@Suite(.serialized) struct ToolTests {
  private let folder = NSTemporaryDirectory() + "tictactoe-tools-\(UUID().uuidString)"

  private func run(
    _ arguments: [String]
  ) throws -> (code: Int32, output: String, errors: String) {
    let program = try RunningProgram(product: "tictactoe-server", arguments)
    let output = try program.readToEnd()
    return (try program.exitCode(), output, try program.errorOutput())
  }

  @Test func `check finds the damage, and repair keeps what is whole`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var server = try RunningServer(["--data", folder])
    let ann = try server.client(["--name", "ann", "--start", "bot"])
    try ann.read(until: "ann, put X on (1 to 9): ")
    let bob = try server.client(["--name", "bob", "--start", "bot"])
    try bob.read(until: "bob, put X on (1 to 9): ")
    let beside = try run(["check", "--data", folder])
    #expect(beside.code == 0, "\(beside.errors)")
    #expect(beside.output.hasPrefix("No damage: 1 segment, "))
    let refused = try run(["check", "--repair", "--data", folder])
    #expect(refused.code == 69)
    #expect(refused.errors.contains("in use by process"))
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
    let file = folder + "/journal/00000001.log"
    var text = try String(contentsOfFile: file, encoding: .utf8)
    let beginning = try #require(text.firstRange(of: #""name":"bob""#))
    text.replaceSubrange(beginning, with: #""name":"BOB""#)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    for arguments in [["check", "--data", folder], ["--port", "0", "--data", folder]] {
      let found = try run(arguments)
      #expect(found.code == 65)
      #expect(found.errors.contains("\(file), after "))
      #expect(found.errors.contains("tictactoe-server check --repair --data \(folder)"))
    }
    let repaired = try run(["check", "--data=\(folder)", "--repair"])
    #expect(repaired.code == 0, "\(repaired.errors)")
    #expect(repaired.output.contains("Dropped match "))
    #expect(repaired.output.contains("Kept 1 whole match."))
    let damaged = try String(
      contentsOfFile: folder + "/journal.damaged-1/00000001.log", encoding: .utf8)
    #expect(damaged == text)
    #expect(try run(["check", "--data", folder]).code == 0)
    // The match that is whole goes on.
    server = try RunningServer(["--data", folder], port: server.port)
    try ann.read(until: "ann, put X on (1 to 9): ")
    try ann.type("quit")
    #expect(try ann.exitCode() == 0)
  }

  @Test func `a tool without data says so, and wrong usage is 64`() throws {
    let missing = try run(["check", "--data", folder])
    #expect(missing.code == 66)
    #expect(missing.errors.contains("There is no data of a server in \(folder)."))
    #expect(!FileManager.default.fileExists(atPath: folder))
    for arguments in [
      ["check", "--port", "1"], ["check", "this"], ["check", "--data", "none"], ["chekc"],
    ] {
      #expect(try run(arguments).code == 64, "\(arguments)")
    }
    let help = try run(["check", "--help"])
    #expect(help.code == 0)
    #expect(help.output.hasPrefix("Usage: tictactoe-server check [--repair] [--data FOLDER]"))
  }
}
