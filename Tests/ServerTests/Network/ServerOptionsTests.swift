import Shared
import Testing

@testable import Server

@Suite struct ServerOptionsTests {
  @Test func `without arguments it serves on all interfaces`() throws {
    let action = try ServerOptions.parse([])
    #expect(action == .serve(ServerOptions(host: nil, port: 7_777)))
  }

  @Test(arguments: [
    ["--host", "::1", "--port", "0"], ["--port=0", "--host=::1"],
    ["--port=9", "--port=0", "--host=::1"],
  ])
  func `host and port are taken`(arguments: [String]) throws {
    let action = try ServerOptions.parse(arguments)
    #expect(action == .serve(ServerOptions(host: "::1", port: 0)))
  }

  @Test func `what can be set of matches is taken, and 0 takes a limit off`() throws {
    var options = ServerOptions()
    options.settings = ServerSettings(
      resumeWithin: .seconds(5), turn: .milliseconds(500), maxMatches: 7, maxSpectators: 8)
    let some = "--resume-within 5 --turn=500ms --max-matches 7 --max-spectators=8"
    #expect(try ServerOptions.parse(some.split(separator: " ").map(String.init)) == .serve(options))
    options.settings = ServerSettings(
      resumeWithin: nil, turn: nil, maxMatches: nil, maxSpectators: nil)
    let none = "--resume-within=0 --turn=0 --max-matches=0 --max-spectators=0"
    #expect(try ServerOptions.parse(none.split(separator: " ").map(String.init)) == .serve(options))
  }

  @Test func `the defaults are those that the help tells`() {
    let settings = ServerSettings()
    #expect(settings.resumeWithin == .seconds(60))
    #expect(settings.turn == nil)
    #expect(settings.maxMatches == 50_000)
    #expect(settings.maxSpectators == 100)
  }

  @Test(arguments: [["--help"], ["-h"], ["--port", "1", "--help", "--nothing"]])
  func `help is asked for`(arguments: [String]) throws {
    #expect(try ServerOptions.parse(arguments) == .help)
  }

  @Test func `the version is asked for`() throws {
    #expect(try ServerOptions.parse(["--version"]) == .version)
  }

  @Test(arguments: [
    ["--port"], ["--port", "x"], ["--port", "65536"], ["--port", "-1"], ["--port="], ["--host"],
    ["--turn", "soon"], ["--resume-within"], ["--max-matches", "-1"], ["--max-spectators", "1s"],
    ["--nothing"], ["-p", "1"], ["7777"], ["--", "--port"],
  ])
  func `anything else is refused`(arguments: [String]) {
    #expect(throws: UsageError.self) { try ServerOptions.parse(arguments) }
  }

  @Test(arguments: [
    "--host", "--port", "--help", "--version", "7777", "SIGTERM", "--turn",
    "--resume-within", "--max-matches", "--max-spectators", "60s", "50000", "100",
  ])
  func `the help names it`(word: String) {
    #expect(ServerOptions.help.contains(word))
    #expect(ServerOptions.help.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
