import Foundation
import Shared
import Testing

/// What docs/operations.md promises of all versions 1.x, held against the files of 1.0.0. The files
/// are never changed; `make`, beside this file, says how they came to be.
@Suite(.serialized) struct PromiseTests {
  private static let files = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "1.0.0")

  private static func lines(of file: String) throws -> [String] {
    try String(contentsOf: files.appending(path: file), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  /// Calls `body` with a copy of the files.
  private func withFiles(_ body: (URL) throws -> Void) throws {
    let copy = FileManager.default.temporaryDirectory.appending(path: "promise-\(UUID())")
    try FileManager.default.copyItem(at: Self.files, to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    try body(copy)
  }

  /// Calls `body` with the path of a copy of the data folder.
  private func withData(_ body: (String) throws -> Void) throws {
    try withFiles { try body($0.appending(path: "data").path) }
  }

  private func read(_ session: SocketSession, until type: String) throws -> JSONObject {
    while let line = try session.readLine() {
      let event = try JSONObject(line)
      if event.type == type { return event }
    }
    throw RunningProgram.TimeoutError(description: "The server closed without \(type).")
  }

  @Test func `a match of 1.0.0 goes on, with the tokens of its players`() throws {
    try withData { data in
      let server = try RunningServer(["--data", data])
      let players = try Self.lines(of: "tokens.txt").map { token in
        let player = try SocketSession(port: server.port)
        try player.type("resume \(token) 0")
        return player
      }
      let login = try read(players[0], until: "didLogin")
      #expect(login["name"] as? String == "ann" && login["place"] as? String == "playing")
      for player in players {
        let snapshot = try read(player, until: "matchSnapshot")
        // `bob` has X, because ann had it in the match before, and three moves were made.
        #expect((snapshot["board"] as? [String])?.joined().filter { $0 != "." }.count == 3)
        #expect(snapshot["turn"] as? String == "O")
      }
      try players[0].type("resign")
      #expect(try read(players[1], until: "gameDidEnd")["reason"] as? String == "resigned")
    }
  }

  @Test func `an account, its history and a finished match of 1.0.0 are there`() throws {
    try withData { data in
      let server = try RunningServer(["--data", data])
      let ann = try SocketSession(port: server.port)
      try ann.type("resume \(try Self.lines(of: "tokens.txt")[0])")
      try ann.type(#"{"type":"unregister","password":"another one"}"#)
      #expect(try read(ann, until: "error")["code"] as? String == "wrongPassword")
      try ann.type(#"{"type":"unregister","password":"open sesame"}"#)
      _ = try read(ann, until: "didUnregister")
      let eve = try SocketSession(port: server.port)
      try eve.type("login eve")
      try eve.type("history ann")
      let items = try read(eve, until: "history")["items"] as? [[String: Any]]
      let match = try #require(items?.last?["match"] as? String)
      try eve.type("replay \(match)")
      _ = try read(eve, until: "replayDidStart")
      #expect(try read(eve, until: "gameDidEnd")["winner"] as? String == "X")
    }
  }

  @Test func `the tools call the data of 1.0.0 good`() throws {
    try withData { data in
      for tool in ["check", "verify", "stats"] {
        let program = try RunningProgram(product: "tictactoe-server", [tool, "--data", data])
        #expect(try program.exitCode() == 0, "\(tool)")
      }
    }
  }

  @Test func `a configuration of 1.0.0 sets what it set then`() throws {
    try compareConfiguration(file: "tictactoe-server.conf", with: "config-show.txt")
  }

  @Test func `the variables of 1.0.0 in the environment set what they set then`() throws {
    let variables = try Self.lines(of: "environment.txt").map { line in
      let end = try #require(line.firstIndex(of: "="))
      return (String(line[..<end]), String(line[line.index(after: end)...]))
    }
    try compareConfiguration(
      file: "none", environment: Dictionary(uniqueKeysWithValues: variables),
      with: "config-show-environment.txt")
  }

  private func compareConfiguration(
    file: String, environment: [String: String] = [:], with shown: String
  ) throws {
    let program = try RunningProgram(
      product: "tictactoe-server", ["config", "show", "--config", file], environment: environment,
      in: Self.files)
    /// The width of the columns may change.
    func words(_ line: String) -> [Substring] { line.split(separator: " ") }
    let new = Set(try program.readToEnd().split(separator: "\n").map { words(String($0)) })
    #expect(try program.exitCode() == 0)
    for line in try Self.lines(of: shown) {
      #expect(new.contains(words(line)), "\(line)")
    }
  }

  @Test func `a configuration of a client of 1.0.0 starts the game that it started then`() throws {
    let server = try RunningServer()
    let client = try RunningProgram(
      product: "tictactoe-client", ["--port", server.port],
      environment: ["XDG_CONFIG_HOME": Self.files.appending(path: "client").path])
    try client.endInput()
    let output = try client.readToEnd()
    for line in ["The next game is Gomoku.", "The bot plays at level easy.", "ann plays X"] {
      #expect(output.contains(line))
    }
    #expect(try client.exitCode() == 0)
  }

  @Test func `a client of 1.0.0 gets what it got then`() throws {
    let server = try RunningServer()
    let session = try SocketSession(port: server.port)
    for line in try Self.lines(of: "session.txt") {
      if line.hasPrefix("> ") {
        try session.type(String(line.dropFirst(2)))
      } else {
        try compare(String(line.dropFirst(2)), try #require(try session.readLine()))
      }
    }
  }

  @Test(arguments: ["people.txt", "people-2.txt"])
  func `people with clients of 1.0.0 get what they got then`(file: String) throws {
    try withData { data in
      let server = try RunningServer(["--data", data])
      var people: [String: Person] = [:]
      for line in try Self.lines(of: file) {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        if words[0] == "operator" {
          #expect(try admin(words[2], data: data).code == 0, "\(line)")
          continue
        }
        let person =
          try people[words[0]] ?? Person(session: SocketSession(port: server.port))
        people[words[0]] = person
        switch words[1] {
        case "!":
          person.session.cut()
          people[words[0]]?.session = try SocketSession(port: server.port)
        case "=":
          // Somebody has told the other one.
          let what = words[2].split(separator: " ").map(String.init)
          let known = people[what[1]]?.known[what[0]]
          people[words[0]]?.known[what[0]] = known
        case ">": try person.session.type(person.filled(words[2]))
        default:
          let new = try person.nextLine()
          try compare(words[2], new)
          people[words[0]]?.learn(from: try JSONObject(new))
        }
      }
    }
  }

  /// A command of the operator's.
  private func admin(_ command: String, data: String) throws -> (code: Int32, output: String) {
    let words = command.split(separator: " ").map(String.init)
    let program = try RunningProgram(
      product: "tictactoe-server", ["admin"] + words + ["--data", data])
    let output = try program.readToEnd()
    return (try program.exitCode(), output)
  }

  @Test(arguments: ["session.txt", "people.txt", "people-2.txt", "events.txt"])
  func `a client of today understands each line of a server of 1.0.0`(file: String) throws {
    var decoder = EventDecoder()
    var count = 0
    for line in try Self.lines(of: file) {
      guard let start = line.firstIndex(of: "{"), line[..<start].allSatisfy({ $0 != ">" }) else {
        continue
      }
      let old = String(line[start...])
      let received = try decoder.decode(Array(old.utf8).span)
      if case .unknown = received.event { Issue.record("The type is unknown: \(old)") }
      var bytes: [UInt8] = []
      EventEncoder.append(received.event, re: received.re, to: &bytes)
      let new = String(decoding: bytes, as: UTF8.self)
      #expect(try JSONObject(new).sorted() == JSONObject(old).sorted())
      count += 1
    }
    #expect(count >= 20)
  }

  @Test func `bans, mutes and the greeting of an operator of 1.0.0 hold`() throws {
    try withFiles { folder in
      let data = folder.appending(path: "data").path
      try FileManager.default.copyItem(
        atPath: folder.appending(path: "operator.json").path, toPath: data + "/operator.json")
      let server = try RunningServer(["--data", data])
      let bans = try admin("bans", data: data).output
      for name in ["203.0.113.0/24", "mallory", "dan"] { #expect(bans.contains(name), "\(bans)") }
      let session = try SocketSession(port: server.port)
      try session.type("login mallory")
      #expect(try read(session, until: "error")["code"] as? String == "badName")
      try session.type("login eve")
      #expect(try read(session, until: "announcement")["text"] as? String == "Welcome")
    }
  }

  /// What a client relies on stays: the fields with the kinds of their values, and some values.
  private func compare(_ old: String, _ new: String) throws {
    let (old, new) = (try JSONObject(old), try JSONObject(new))
    #expect(new.type == old.type)
    let missing = old.shape.subtracting(new.shape)
    #expect(missing.isEmpty, "\(old.type) had more: \(missing.sorted())")
  }

  @Test func `a match that 1.0.0 exported can be seen again`() throws {
    let file = Self.files.appending(path: "match.jsonl").path
    let program = try RunningProgram(product: "tictactoe-client", ["--replay", file, "--plain"])
    try program.endInput()
    #expect(try program.exitCode() == 0)
  }

  @Test func `a command line of 1.0.0 ends with the exit code of then`() throws {
    let lines = try Self.lines(of: "exit-codes.txt")
    try withFiles { folder in
      for line in lines {
        let words = line.split(separator: " ").map(String.init)
        let program = try RunningProgram(product: words[1], Array(words[2...]), in: folder)
        try program.endInput()
        _ = try program.readToEnd()
        #expect(try program.exitCode() == Int32(words[0]), "\(line)")
      }
    }
  }

  /// Code 76 needs two nodes of a cluster; `NodeTests` hold it.
  @Test func `a line of a shell ends with the exit code of 1.0.0`() throws {
    try withFiles { folder in
      let copy = folder.appending(path: "copy")
      try FileManager.default.copyItem(at: folder.appending(path: "data"), to: copy)
      let server = try RunningServer(["--data", copy.path])
      let programs = RunningProgram.product("tictactoe-server").deletingLastPathComponent().path
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      for line in try Self.lines(of: "exit-codes-2.txt") {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let shell = try RunningProgram(
          URL(filePath: "/bin/sh"), ["-c", words[1]],
          environment: ["PATH": "\(programs):\(path)", "PORT": server.port], in: folder)
        try shell.endInput()
        _ = try shell.readToEnd()
        #expect(try shell.exitCode() == Int32(words[0]), "\(line)")
      }
    }
  }

  @Test func `the codes and the limits of 1.0.0 are there`() throws {
    let new = Set(
      ErrorCode.allCases.map { "error \($0.rawValue)" }
        + ByeCode.allCases.map { "bye \($0.rawValue)" }
        + Self.limits.map { "limit \($0.name) \($0.value)" })
    for line in try Self.lines(of: "codes.txt") { #expect(new.contains(line), "\(line)") }
  }

  private static let limits: [(name: String, value: String)] = [
    ("line", "\(ProtocolLimits.maxCommandLine)"), ("event", "\(ProtocolLimits.maxEventLine)"),
    ("name", "\(ProtocolLimits.maxNameLength)"), ("message", "\(ProtocolLimits.maxMessageLength)"),
    ("sentence", "\(ProtocolLimits.maxSentenceLength)"), ("code", "\(ProtocolLimits.codeLength)"),
    (
      "password",
      "\(ProtocolLimits.passwordLength.lowerBound) \(ProtocolLimits.passwordLength.upperBound)"
    ),
    ("history", "\(ProtocolLimits.maxHistoryItems)"),
    ("leaderboard", "\(ProtocolLimits.maxLeaderboardItems)"),
    ("replay", "\(ProtocolLimits.maxReplayEvents)"), ("id", "\(ProtocolLimits.maxIDLength)"),
    ("integer", "\(ProtocolLimits.maxInteger)"), ("depth", "\(ProtocolLimits.maxDepth)"),
  ]
}

/// A client of the file people.txt.
private struct Person {
  var session: SocketSession
  /// What this person was told last: a token, a code, a match, a number.
  var known: [String: String] = [:]

  /// Returns a line with what the person knows.
  func filled(_ line: String) -> String {
    known.reduce(line) { $0.replacing("{\($1.key)}", with: $1.value) }
  }

  mutating func learn(from event: JSONObject) {
    for name in ["token", "code", "match", "seq"] {
      if let value = event.last(name) { known[name] = value }
    }
  }

  /// The next line, without the number of spectators, which comes when it likes.
  func nextLine() throws -> String {
    while true {
      let line = try #require(try session.readLine())
      if try JSONObject(line).type != "spectatorsDidChange" { return line }
    }
  }
}

/// A line of the wire.
private struct JSONObject {
  private let fields: [String: Any]

  init(_ line: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    fields = try #require(object as? [String: Any])
  }

  /// The object with its fields in alphabetical order.
  func sorted() throws -> String {
    let data = try JSONSerialization.data(withJSONObject: fields, options: .sortedKeys)
    return String(decoding: data, as: UTF8.self)
  }

  var type: String { fields["type"] as? String ?? "" }

  subscript(name: String) -> Any? { fields[name] }

  /// The last value of a field at any depth.
  func last(_ name: String) -> String? { Self.last(name, in: fields) }

  private static func last(_ name: String, in value: Any) -> String? {
    if let object = value as? [String: Any] {
      return object[name].map { "\($0)" }
        ?? object.values.lazy.compactMap { last(name, in: $0) }.first
    }
    return (value as? [Any])?.reversed().lazy.compactMap { last(name, in: $0) }.first
  }

  /// The names of all fields, at any depth, each with the kind of its value, and with the value if it
  /// is a word of the protocol or a limit.
  var shape: Set<String> {
    // `didQueue` has a code of chance.
    let codes = ["error", "bye"].contains(type) ? ["code"] : []
    let words = ["type", "reason", "result", "place"] + codes
    return Self.shape(of: fields, at: "", words: words)
  }

  private static func shape(of value: Any, at path: String, words: [String]) -> Set<String> {
    switch value {
    case let object as [String: Any]:
      object.reduce(into: [path + "{}"]) {
        $0.formUnion(shape(of: $1.value, at: "\(path).\($1.key)", words: words))
      }
    case let array as [Any]:
      array.reduce(into: [path + "[]"]) {
        $0.formUnion(shape(of: $1, at: path + "[]", words: words))
      }
    case let text as String:
      words.contains { path.hasSuffix(".\($0)") } ? ["\(path) \(text)"] : [path + " text"]
    case let number as NSNumber:
      path.hasPrefix(".limits.") ? ["\(path) \(number)"] : [path + " number"]
    default: [path + " null"]
    }
  }
}
