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
  func `host and port can be set`(arguments: [String]) throws {
    let action = try ServerOptions.parse(arguments)
    #expect(action == .serve(ServerOptions(host: "::1", port: 0)))
  }

  @Test func `the settings of matches can be set, and 0 is no limit`() throws {
    var options = ServerOptions()
    options.settings = ServerSettings(
      resumeWithin: .seconds(5), turn: .milliseconds(500), inviteWithin: .seconds(90),
      maxMatches: 7, maxSpectators: 8)
    let some =
      "--resume-within 5 --turn=500ms --invite-within 90 --max-matches 7 --max-spectators=8"
    #expect(try ServerOptions.parse(some.split(separator: " ").map(String.init)) == .serve(options))
    options.settings = ServerSettings(
      resumeWithin: nil, turn: nil, inviteWithin: nil, maxMatches: nil, maxSpectators: nil)
    let none = "--resume-within=0 --turn=0 --invite-within=0 --max-matches=0 --max-spectators=0"
    #expect(try ServerOptions.parse(none.split(separator: " ").map(String.init)) == .serve(options))
  }

  @Test(arguments: [
    ("9100", "127.0.0.1", 9_100), (":9100", "127.0.0.1", 9_100), ("0.0.0.0:9100", "0.0.0.0", 9_100),
    ("[::1]:9100", "::1", 9_100), ("[::]:0", "::", 0),
    ("metrics.example.org:65535", "metrics.example.org", 65_535),
  ])
  func `metrics have a host and a port, and without a host they are for this machine only`(
    value: String, host: String, port: UInt16
  ) throws {
    guard case .serve(let options) = try ServerOptions.parse(["--metrics", value]) else { return }
    #expect(options.metrics?.host == host)
    #expect(options.metrics?.port == port)
    #expect(ServerOptions().metrics == nil)
    // That of a file can be turned off.
    #expect(try ServerOptions.parse(["--metrics", value, "--metrics=none"]) == .serve(.init()))
  }

  @Test(arguments: [
    "", "here", "here:", ":", "::1:9100", "::1", "[::1]", "[::1]9100", "[here]:9100", "9100:here",
    "here:65536", "here:-1", "here:+1", "1:2:3", "[::1:9100", "http://here:9100",
  ])
  func `another address for metrics is a usage error`(value: String) {
    let error = #expect(throws: UsageError.self) {
      try ServerOptions.parse(["--metrics=\(value)"])
    }
    #expect(error?.message.contains("HOST:PORT") == true)
  }

  @Test func `draining and logging can be set`() throws {
    var options = ServerOptions()
    options.settings.drain = .seconds(120)
    options.log = Log.Options(level: .trace, format: .json)
    let some = ["--drain", "2m", "--log-level=TRACE", "--log-format", "Json"]
    #expect(try ServerOptions.parse(some) == .serve(options))
    options.settings.drain = nil
    options.log = Log.Options(level: nil, format: .text)
    let none = ["--drain=0", "--log-level", "off", "--log-format=text"]
    #expect(try ServerOptions.parse(none) == .serve(options))
  }

  @Test func `the data folder, its files and their durability can be set`() throws {
    var options = ServerOptions()
    options.data = .folder("/data")
    options.store = StoreOptions(maxSegment: 65_536, durability: .power)
    let some = "--data /data --segment=64k --durability power"
    #expect(try ServerOptions.parse(some.split(separator: " ").map(String.init)) == .serve(options))
    options = ServerOptions()
    options.store.maxSegment = 4_095 << 20
    #expect(try ServerOptions.parse(["--segment=4095m"]) == .serve(options))
    for size in ["8g", "0", "5000m"] {
      let error = #expect(throws: UsageError.self) {
        try ServerOptions.parse(["--segment", size])
      }
      #expect(error?.message.hasPrefix("--segment takes a size from 64k to 4095m") == true)
    }
    options = ServerOptions()
    options.data = .nowhere
    #expect(try ServerOptions.parse(["--data=none"]) == .serve(options))
  }

  @Test(arguments: [
    "--data=", "--segment=65535", "--segment=0", "--segment=4096m", "--segment=8g",
    "--durability=always",
  ])
  func `a bad value for the data is a usage error`(argument: String) {
    #expect(throws: UsageError.self) { try ServerOptions.parse([argument]) }
  }

  @Test func `a greeting can be set`() throws {
    var options = ServerOptions()
    options.settings.motd = "Tournament tonight at 8"
    #expect(try ServerOptions.parse(["--motd", "Tournament tonight at 8"]) == .serve(options))
  }

  @Test(arguments: ["", "two\nlines", String(repeating: "a", count: 201)])
  func `a greeting that is empty, too long or has control characters is a usage error`(
    text: String
  ) {
    #expect(throws: UsageError.self) { try ServerOptions.parse(["--motd", text]) }
  }

  @Test(arguments: ["--log-level=loud", "--log-level=", "--log-format=xml"])
  func `an unknown level or format is a usage error`(argument: String) {
    #expect(throws: UsageError.self) { try ServerOptions.parse([argument]) }
  }

  @Test func `the defaults are those of the help`() {
    #expect(ServerOptions().log == Log.Options(level: .info, format: .text))
    #expect(ServerSettings().drain == .seconds(30))
    let settings = ServerSettings()
    #expect(settings.resumeWithin == .seconds(60))
    #expect(settings.turn == .seconds(300))
    #expect(settings.inviteWithin == .seconds(120))
    #expect(settings.motd == nil)
    #expect(settings.maxMatches == 50_000)
    #expect(settings.maxSpectators == 100)
  }

  @Test func `by default limits are for the open internet`() throws {
    guard case .serve(let options) = try ServerOptions.parse([]) else { return }
    #expect(
      options.settings.limits
        == ConnectionLimits(
          loginWithin: .seconds(30), perSecond: 1_000, burst: 4_000, connections: 20_000,
          unsentBytes: 67_108_864,
          address: AddressLimits(
            connections: 1_000, matches: 1_000, unsentBytes: 8_388_608, linesPerSecond: 20_000,
            loginsPerSecond: 100, processorPercent: 25, unknownCodesPerMinute: 10)))
  }

  @Test func `each limit can be set`() throws {
    let action = try ServerOptions.parse([
      "--login-within", "1m", "--idle=500ms", "--per-second=3", "--burst=4",
      "--max-connections=5", "--max-unsent=2m", "--trust-proxy", "10.0.0.0/8",
      "--trust-proxy=::1", "--max-per-address", "6", "--matches-per-address=7",
      "--unsent-per-address=8k", "--lines-per-address=9", "--logins-per-address=10",
      "--time-per-address=11",
    ])
    var options = ServerOptions()
    options.settings.limits = ConnectionLimits(
      loginWithin: .seconds(60), idle: .milliseconds(500), perSecond: 3, burst: 4, connections: 5,
      unsentBytes: 2_097_152,
      address: AddressLimits(
        connections: 6, matches: 7, unsentBytes: 8_192, linesPerSecond: 9, loginsPerSecond: 10,
        processorPercent: 11, unknownCodesPerMinute: 10),
      proxies: ["10.0.0.0/8", "::1"].compactMap(IPNetwork.init))
    #expect(options.settings.limits.proxies.count == 2)
    #expect(action == .serve(options))
  }

  @Test func `0 means no limit`() throws {
    let names = [
      "login-within", "idle", "per-second", "burst", "max-connections", "max-per-address",
      "max-unsent",
    ]
    let action = try ServerOptions.parse(names.map { "--\($0)=0" })
    var options = ServerOptions()
    options.settings.limits = ConnectionLimits()
    #expect(action == .serve(options))
  }

  @Test func `an address may send 20 times as many lines as a connection`() throws {
    func limits(_ arguments: [String]) throws -> AddressLimits? {
      guard case .serve(let options) = try ServerOptions.parse(arguments) else { return nil }
      return options.settings.limits.address
    }
    #expect(try limits(["--per-second=5"])?.linesPerSecond == 100)
    #expect(try limits(["--lines-per-address=7", "--per-second=5"])?.linesPerSecond == 7)
    let withoutLines = try #require(try limits(["--lines-per-address=0"]))
    #expect(withoutLines.linesPerSecond == nil)
    #expect(withoutLines.loginsPerSecond == 100)
  }

  @Test func `without a rate for a connection an address has none for lines and logins`() throws {
    guard
      case .serve(let options) = try ServerOptions.parse([
        "--lines-per-address=7", "--per-second=0",
      ])
    else { return }
    var address = AddressLimits.standard
    address.linesPerSecond = nil
    address.loginsPerSecond = nil
    #expect(options.settings.limits.address == address)
  }

  @Test func `without a limit on its connections an address has none at all`() throws {
    guard
      case .serve(let options) = try ServerOptions.parse([
        "--matches-per-address=7", "--max-per-address=0",
      ])
    else { return }
    #expect(options.settings.limits.address == AddressLimits())
  }

  @Test func `the help names the limits of the code`() {
    let words = ServerOptions.help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for text in [
      "default: 30s", "default: 1000)", "default: 4000)", "default: 20000)", "default: 60s)",
      "default: 50000)", "default: 100)", "default: 64m)", "default: 8m)", "default: 25)",
      "\(ClientOutlet.spectatorLimit / 1_024) KiB", "have \(AddressLimits.siteFactor) times",
      "\(AddressLimits.lineBurst) times as many", "\(AddressLimits.loginBurst) times as many",
      "\(AddressLimits.lineFactor) x --per-second)",
      "\(ProtocolLimits.maxCommandLine) bytes", "\(ClientOutlet.softLimit / 1_024) KiB",
      "\(ClientOutlet.hardLimit / 1_048_576) MiB",
    ] {
      #expect(words.contains(text), "\(text)")
    }
  }

  @Test func `the help has at most 72 lines`() {
    #expect(ServerOptions.help.split(separator: "\n", omittingEmptySubsequences: false).count <= 72)
  }

  @Test(arguments: [["--help"], ["-h"], ["--port", "1", "--help", "--nothing"]])
  func `help can be requested`(arguments: [String]) throws {
    #expect(try ServerOptions.parse(arguments) == .help)
  }

  @Test func `the version can be requested`() throws {
    #expect(try ServerOptions.parse(["--version"]) == .version)
  }

  @Test(arguments: [
    ["--port"], ["--port", "x"], ["--port", "65536"], ["--port", "-1"], ["--port="], ["--host"],
    ["--turn", "soon"], ["--resume-within"], ["--max-matches", "-1"], ["--max-spectators", "1s"],
    ["--max-unsent=1t"], ["--unsent-per-address=k"], ["--time-per-address=101"],
    ["--nothing"], ["-p", "1"], ["--idle=x"], ["--burst=-1"], ["--trust-proxy=here"], ["7777"],
    ["--", "--port"],
  ])
  func `anything else is refused`(arguments: [String]) {
    #expect(throws: UsageError.self) { try ServerOptions.parse(arguments) }
  }

  @Test(arguments: [
    "--host", "--port", "--help", "--version", "7777", "SIGTERM", "--turn",
    "--resume-within", "--max-matches", "--max-spectators", "60s", "50000", "100",
  ])
  func `the help names every option`(word: String) {
    #expect(ServerOptions.help.contains(word))
    #expect(ServerOptions.help.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
