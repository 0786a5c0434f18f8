import Foundation
import Shared
import Testing

@testable import Server

@Suite struct ServerConfigurationTests {
  private func options(_ text: String, _ arguments: [String] = []) throws -> ServerOptions {
    let file = ServerConfigurationFile(path: "/c").settings(in: Data(text.utf8))
    guard file.mistakes.isEmpty else { throw ServerConfigurationError(sentences: file.mistakes) }
    guard case .serve(let options) = try ServerOptions.parse(arguments, file: file.settings) else {
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
    #expect(throws: ServerConfigurationError.self) {
      try ToolOptions(.stats, ["--config", "/nonexistent/c"])
    }
  }

  @Test func `a wrong line does not keep the operator from the good ones`() throws {
    let path = NSTemporaryDirectory() + "tictactoe-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("turn = x\ndata = /d\nprot = 1".utf8).write(to: URL(fileURLWithPath: path))
    let location = ["--config", path]
    for tool in [Tool.stats, .check, .verify] {
      let options = try #require(try ToolOptions(tool, location, environment: [:]))
      #expect(options.data == "/d")
      #expect(options.warnings.count == 2)
    }
    let admin = try #require(try ToolOptions(.admin, location + ["status"], environment: [:]))
    #expect(admin.socket == "/d/admin.sock")
    #expect(admin.warnings.first?.hasPrefix("\(path), line 1: turn takes a time") == true)
    // What they change has to be certain.
    for arguments in [["--repair"], ["--repair", "--data", "/e"]] {
      let tool = try? ToolOptions(.check, location + arguments, environment: [:])
      #expect(tool?.data == (arguments.count == 1 ? nil : "/e"))
    }
    #expect(throws: ServerConfigurationError.self) {
      try ToolOptions(.rebuild, location, environment: [:])
    }
  }

  @Test func `the environment wins over the files, and later files over earlier ones`() throws {
    let path = NSTemporaryDirectory() + "tictactoe-\(UUID().uuidString)"
    let manager = FileManager.default
    defer { for item in [path, "\(path).d"] { try? manager.removeItem(atPath: item) } }
    try manager.createDirectory(atPath: "\(path).d", withIntermediateDirectories: true)
    for (name, text) in [
      ("", "port = 1\nturn = 1s\nidle = 1s\ntrust-proxy = ::1\ntrust-proxy = ::2"),
      (".d/20-b.conf", "turn = 3s\nmax-unsent = 1g"),
      (".d/10-a.conf", "turn = 2s\nidle = 2s\ntrust-proxy = ::3"),
      (".d/.hidden.conf", "turn = 9s"), (".d/30-c.conf~", "turn = 9s"),
    ] { try Data(text.utf8).write(to: URL(fileURLWithPath: path + name)) }
    let environment = [
      "TICTACTOE_IDLE": "3s", "TICTACTOE_PORT": "tcp://10.0.0.1:7777", "TICTACTOE_MOTD": "",
      "TICTACTOE_PASSWORD_FILE": "x",
    ]
    let settings = try ServerConfiguration.settings(at: .file(path), environment)
    let options = try ServerOptions(settings)
    #expect(options.port == 1)
    #expect(options.settings.turn == .seconds(3))
    #expect(options.settings.limits.idle == .seconds(3))
    #expect(options.settings.limits.proxies == [IPNetwork("::3")])
    #expect(options.settings.limits.unsentBytes == 1_073_741_824)
    let shown = ConfigTool.text(of: settings, ["STATE_DIRECTORY": "/state"])
    for row in [
      #"port +1 +\S+:1"#, #"turn +3s +\S+\.d/20-b\.conf:1"#, #"idle +3s +TICTACTOE_IDLE"#,
      #"data +/state +default"#, #"admin +/state/admin\.sock +default"#,
    ] { #expect(try shown.firstMatch(of: Regex("\n\(row)\n")) != nil, "\(row) in \(shown)") }
    let wrong = ServerConfiguration(
      at: .nowhere, ["TICTACTOE_PORT": "x", "TICTACTOE_TRUST_PROXY": "::1, ::2"])
    #expect(wrong.mistakes == ["TICTACTOE_PORT takes a number from 0 to 65535, not “x”."])
    #expect(wrong.settings.map(\.value) == ["::1", "::2"])
  }

  @Test func `passwords are not shown`() {
    let settings = [
      ServerSetting(option: .cluster, value: "redis://:secret@db", name: "cluster")
    ]
    let shown = ConfigTool.text(of: settings, [:])
    #expect(shown.contains("redis://db"))
    #expect(!shown.contains("secret"))
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
    if [.clusterReplicas, .clusterKeep, .node, .advertise].contains(option) {
      // These need an engine.
      let arguments = ["--cluster=redis://db"]
      var (shown, standard) = (try options(uncommented, arguments), try options("", arguments))
      #expect((shown != standard) == ![.clusterReplicas, .clusterKeep].contains(option))
      (shown.cluster, standard.cluster) = (nil, nil)
      #expect(shown == standard)
      return
    }
    let options = try options(uncommented)
    if let value = option.standardValue {
      #expect(uncommented.contains("\n\(option.rawValue) = \(value)\n"))
    }
    // These have no default that could be written.
    guard
      ![.host, .motd, .data, .admin, .cluster, .clusterFile, .trustProxy]
        .contains(option)
    else { return }
    #expect(try options == ServerOptions([]))
  }
}
