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

  @Test(arguments: [["--help"], ["-h"], ["--port", "1", "--help", "--nothing"]])
  func `help is asked for`(arguments: [String]) throws {
    #expect(try ServerOptions.parse(arguments) == .help)
  }

  @Test func `the version is asked for`() throws {
    #expect(try ServerOptions.parse(["--version"]) == .version)
  }

  @Test(arguments: [
    ["--port"], ["--port", "x"], ["--port", "65536"], ["--port", "-1"], ["--port="], ["--host"],
    ["--nothing"], ["-p", "1"], ["7777"], ["--", "--port"],
  ])
  func `anything else is refused`(arguments: [String]) {
    #expect(throws: UsageError.self) { try ServerOptions.parse(arguments) }
  }

  @Test(arguments: ["--host", "--port", "--help", "--version", "7777", "SIGTERM"])
  func `the help names it`(word: String) {
    #expect(ServerOptions.help.contains(word))
    #expect(ServerOptions.help.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
