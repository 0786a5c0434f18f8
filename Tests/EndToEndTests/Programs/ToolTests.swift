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
    #expect(refused.errors.hasSuffix(". Stop it first, or wait until it ends.\n"))
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

  /// Plays a match to its end, and returns its id and the lines of a spectator after the first.
  private func playMatch(at server: RunningServer) throws -> (id: String, lines: [String]) {
    let (ann, bob) = (try SocketSession(port: server.port), try SocketSession(port: server.port))
    let eve = try SocketSession(port: server.port)
    func read(_ session: SocketSession, until text: String) throws -> String {
      while let line = try session.readLine() { if line.contains(text) { return line } }
      throw RunningProgram.TimeoutError(description: "“\(text)” did not come.")
    }
    for (session, name) in [(ann, "ann"), (bob, "bob"), (eve, "eve")] {
      try session.type("login \(name)")
      _ = try read(session, until: "didLogin")
    }
    try ann.type("start bob")
    _ = try read(ann, until: "didQueue")
    try bob.type("start ann")
    let start = try read(ann, until: "gameDidStart")
    let id = try #require(start.firstMatch(of: /"match":"([^"]+)"/)).1
    try eve.type("watch \(id)")
    _ = try read(eve, until: "matchSnapshot")
    try ann.type("place 1 1")
    _ = try read(bob, until: "boardDidChange")
    try bob.type("say well\nresign\nleave")
    var lines: [String] = []
    while let line = try eve.readLine() {
      if line.contains(#""seq""#) { lines.append(line) }
      if line.contains("matchDidEnd") { break }
    }
    try ann.type("quit")
    try bob.type("quit")
    _ = try read(ann, until: "bye")
    _ = try read(bob, until: "bye")
    return (String(id), lines)
  }

  @Test func `a match can be exported, verified and backed up while the server runs`() throws {
    let copy = folder + "-copy"
    let file = folder + "-match.json"
    defer {
      for path in [folder, copy, file] { try? FileManager.default.removeItem(atPath: path) }
    }
    let server = try RunningServer(["--data", folder])
    let (id, lines) = try playMatch(at: server)
    let zoe = try server.client(["--name", "zoe", "--start", "bot"])
    try zoe.read(until: "zoe, put X on (1 to 9): ")
    let exported = try run(["export", id, "--data", folder])
    #expect(exported.code == 0, "\(exported.errors)")
    #expect(exported.output.split(separator: "\n").dropFirst().map(String.init) == lines)
    #expect(exported.output.hasPrefix(#"{"type":"gameDidStart","match":"\#(id)","seq":1,"#))
    try Data(exported.output.utf8).write(to: URL(fileURLWithPath: file))
    for arguments in [[], [id], [file]] {
      let verified = try run(["verify"] + arguments + ["--data", folder])
      #expect(verified.code == 0, "\(verified.errors)")
      #expect(verified.output.contains("follow the rules"))
    }
    let stats = try run(["stats", "--data", folder])
    #expect(stats.code == 0, "\(stats.errors)")
    #expect(stats.output.contains("running matches"))
    let backup = try run(["backup", copy, "--data", folder])
    #expect(backup.code == 0, "\(backup.errors)")
    #expect(try run(["backup", copy, "--data", folder]).code == 73)
    let refused = try run(["rebuild", "--data", folder])
    #expect(refused.code == 69)
    #expect(refused.errors.hasSuffix(". Stop it first, or wait until it ends.\n"))
    for (target, reason) in [
      ("/dev/null", "Not a directory"), ("/dev/null/x", "Not a directory"),
      ("/dev/null/x/y", "Not a directory"), ("/proc/foo", "No such file or directory"),
    ] {
      let refused = try run(["backup", target, "--data", folder])
      #expect(refused.code == 73)
      #expect(
        refused.errors == "tictactoe-server: The folder \(target) cannot be made: \(reason).\n")
    }
    #expect(try run(["backup", folder + "/bk", "--data", folder]).code == 64)
    // A file that is cut, or tells something else, is damaged.
    let changed = exported.output.replacing(#""text":"well""#, with: #""text":"best""#)
    for text in [String(exported.output.dropLast(1)), changed, "{}\n", ""] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      #expect(try run(["verify", file, "--data", folder]).code == 65)
    }
    for arguments in [["export", "zzzz"], ["verify", "zzzz"], ["verify", "./none"]] {
      #expect(try run(arguments + ["--data", folder]).code == 66, "\(arguments)")
    }
    server.program.send(SIGKILL)
    #expect(try run(["check", "--data", copy]).code == 0)
    #expect(try run(["rebuild", "--data", copy]).code == 0)
    // The copy goes on, with the match that was running.
    let next = try RunningServer(["--data", copy], port: server.port)
    try zoe.read(until: "zoe, put X on (1 to 9): ")
    try zoe.type("5")
    try zoe.read(until: "zoe, put X on (1 to 9): ")
    #expect(try run(["export", id, "--data", copy]).output == exported.output)
    next.program.send(SIGTERM)
    #expect(try next.program.exitCode() == 0)
    // A damaged record of a match that is in the archive costs nothing.
    let journal = URL(fileURLWithPath: copy + "/journal/00000001.log")
    let text = try String(contentsOf: journal, encoding: .utf8)
    try Data(text.replacing(#""text":"well""#, with: #""text":"best""#).utf8).write(to: journal)
    let repaired = try run(["check", "--repair", "--data", copy])
    #expect(repaired.code == 0, "\(repaired.errors)")
    let dropped = repaired.output.split(separator: "\n").first {
      $0.hasPrefix("Dropped match \(id)")
    }
    #expect(dropped?.hasSuffix("its lines are in the archive: nothing is lost.") == true)
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
    let wrong = try run(["export"])
    #expect(wrong.errors.hasSuffix("To see the options, type: tictactoe-server export --help\n"))
    let folderForFile = try run(["verify", "./"])
    #expect(folderForFile.code == 66)
    #expect(folderForFile.errors.hasSuffix(": ./ is a folder.\n"))
    let help = try run(["check", "--help"])
    #expect(help.code == 0)
    #expect(help.output.hasPrefix("Usage: tictactoe-server check [--repair] [--data FOLDER]"))
  }
}
