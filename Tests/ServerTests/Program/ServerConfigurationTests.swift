import Foundation
import Shared
import Testing

@testable import Server

@Suite struct ServerConfigurationTests {
  private let file = ServerConfiguration(path: "/c")

  private func options(_ text: String, _ arguments: [String] = []) throws -> ServerOptions {
    let settings = try file.settings(in: Data(text.utf8))
    guard case .serve(let options) = try ServerOptions.parse(arguments, file: settings) else {
      throw UsageError("no server")
    }
    return options
  }

  @Test func `an option of the file means the same as on the command line`() throws {
    let text = """
      port = 0
      # a comment
      motd = " hi # there "
      turn=20s
      trust-proxy = 10.0.0.0/8
      trust-proxy = ::1
      max-per-address = 6
      """
    let arguments = [
      "--port=0", "--motd", " hi # there ", "--turn=20s", "--trust-proxy=10.0.0.0/8",
      "--trust-proxy=::1", "--max-per-address=6",
    ]
    #expect(try options(text) == options("", arguments))
  }

  @Test func `the command line wins over the file, also with an option that can be repeated`()
    throws
  {
    let text = "port = 1\nturn = 2s\ntrust-proxy = ::1\ntrust-proxy = ::2"
    let options = try options(text, ["--port", "3", "--trust-proxy", "::3"])
    #expect(options.port == 3)
    #expect(options.settings.turn == .seconds(2))
    #expect(options.settings.limits.proxies == [IPNetwork("::3")])
  }

  @Test(arguments: [
    ("port = x", "line 1: port takes a number from 0 to 65535, not “x”."),
    ("\nmax-match = 5", "line 2: There is no option “max-match”. Did you mean max-matches?"),
    ("turn", "line 1: “turn” has no “=”. Write, for example: port = 7777"),
    ("check-config = yes", "line 1: check-config works only on the command line."),
    ("log-level = loud", "line 1: log-level takes off, warning, info, debug or trace, not “loud”."),
    ("host =", "line 1: host needs a value."),
  ])
  func `a mistake is reported with its file, its line and its key`(text: String, sentence: String) {
    #expect(throws: ServerConfigurationError(sentences: ["/c, \(sentence)"])) {
      try options(text)
    }
  }

  @Test func `all mistakes are reported`() {
    let error = #expect(throws: ServerConfigurationError.self) { try options("a = 1\nb\nport = x") }
    #expect(error?.sentences.count == 3)
  }

  @Test func `the file is the standard one, another one, or none`() throws {
    #expect(try options("").configuration == .standard)
    #expect(try options("", ["--config", "/x"]).configuration == .file("/x"))
    #expect(try options("", ["--config=none"]).configuration == .nowhere)
    #expect(try options("", ["--check-config"]).onlyChecks)
    #expect(throws: UsageError.self) { try ServerOptions.parse(["--config="]) }
    #expect(ConfigurationLocation.nowhere.path == nil)
    #expect(throws: ServerConfigurationError.self) {
      try ServerConfiguration.settings(at: .file("/nonexistent/c"))
    }
  }

  @Test func `the tools find the data of the configured server`() throws {
    let path = NSTemporaryDirectory() + "tictactoe-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    func data(_ text: String, _ arguments: [String] = []) throws -> String? {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return try ToolOptions(.stats, ["--config", path] + arguments, environment: ["HOME": "/h"])?
        .data
    }
    #expect(try data("data = /d\nport = 9") == "/d")
    #expect(try data("port = 9") == "/h/.local/state/tictactoe-server/9")
    #expect(try data("data = /d", ["--data", "/e"]) == "/e")
    #expect(throws: UsageError.self) { try data("data = none") }
    #expect(throws: ServerConfigurationError.self) { try data("date = /d") }
  }

  private static let example = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs/tictactoe-server.conf")

  @Test func `the example lists exactly the options, each with an explanation`() throws {
    let lines = try String(contentsOf: Self.example, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var keys: [String] = []
    for (index, line) in lines.enumerated() {
      guard let match = line.wholeMatch(of: /#([a-z-]+) = .+/) else {
        #expect(line.isEmpty || line == "#" || line.hasPrefix("# "), "\(line)")
        continue
      }
      #expect(lines[index - 1].hasPrefix("# "), "\(line) has no explanation")
      let option = try #require(ServerOption(rawValue: String(match.1)), "\(line)")
      #expect(lines[index - 1].hasSuffix("(restart)") == option.needsRestart, "\(line)")
      keys.append(option.rawValue)
    }
    #expect(keys == ServerOption.allCases.map(\.rawValue))
    #expect(try options(lines.joined(separator: "\n")) == ServerOptions([]))
  }

  @Test(arguments: ServerOption.allCases)
  func `each line of the example is accepted, and shows the default`(option: ServerOption) throws {
    let file = NSTemporaryDirectory() + "tictactoe-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data("redis://db\n".utf8).write(to: URL(fileURLWithPath: file))
    let text = try String(contentsOf: Self.example, encoding: .utf8)
      .replacing("/etc/tictactoe-server.cluster", with: file)
    let uncommented = text.replacing("\n#\(option.rawValue) = ", with: "\n\(option.rawValue) = ")
    #expect(uncommented != text)
    if [.clusterReplicas, .node, .advertise].contains(option) {
      // These need an engine.
      let arguments = ["--cluster=redis://db"]
      var (shown, standard) = (try options(uncommented, arguments), try options("", arguments))
      #expect((shown != standard) == (option != .clusterReplicas))
      (shown.cluster, standard.cluster) = (nil, nil)
      #expect(shown == standard)
      return
    }
    let options = try options(uncommented)
    // These have no default that could be written.
    guard
      ![.host, .motd, .metrics, .data, .admin, .cluster, .clusterFile, .trustProxy]
        .contains(option)
    else { return }
    #expect(try options == ServerOptions([]))
  }
}
