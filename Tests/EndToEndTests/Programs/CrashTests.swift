import Foundation
import Shared
import Testing

/// A server with a data folder is killed while people play, and started again.
@Suite(.serialized) struct CrashTests {
  private let folder = NSTemporaryDirectory() + "tictactoe-crash-\(UUID().uuidString)"

  private func start(port: String = "0", _ more: [String] = []) throws -> RunningServer {
    try RunningServer(["--data", folder, "--per-second", "0"] + more, port: port)
  }

  /// More rounds: `CRASH_ROUNDS=250 swift test --filter CrashTests`, for each of the two.
  private static let rounds =
    ProcessInfo.processInfo.environment["CRASH_ROUNDS"].flatMap { Int($0) } ?? 10

  @Test(arguments: ["process", "power"])
  func `nothing that a client was told is lost, whenever the server is killed`(
    durability: String
  ) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let more = ["--durability", durability, "--segment", "64k"]
    var server = try start(more)
    var pairs: [(CrashPlayer, CrashPlayer)] = []
    for number in 1...4 {
      let (ann, bob) = ("ann\(number)", "bob\(number)")
      pairs.append((try CrashPlayer(ann, server.port), try CrashPlayer(bob, server.port)))
      try pairs[number - 1].0.say("start \(bob)")
      try pairs[number - 1].1.say("start \(ann)")
    }
    let players = pairs.flatMap { [$0.0, $0.1] }
    for round in 1...Self.rounds {
      // Commands are on their way when the process dies.
      for _ in 0..<Int.random(in: 0...240) {
        let player = try #require(players.randomElement())
        if Int.random(in: 0...7) == 0 {
          try player.say("ping")
        } else {
          try player.type(CrashPlayer.commands.randomElement() ?? "")
        }
      }
      server.program.send(SIGKILL)
      for player in players { try player.readToEnd() }
      server = try start(port: server.port, more)
      for player in players { try player.resume(server.port) }
      for (ann, bob) in pairs { #expect(ann.match == bob.match, "after round \(round)") }
    }
    var lines = 0
    for (ann, bob) in pairs {
      // A whole game can be played.
      try ann.say("resign")
      try ann.say("start")
      try bob.say("start")
      try bob.say("resign")
      try ann.say("ping")
      let exported = try export(try #require(ann.match))
      for player in [ann, bob] {
        #expect(player.told.count > Self.rounds)
        lines += player.told.count
        for (seq, line) in player.told { #expect(exported[seq] == line) }
      }
    }
    // The server has ended every time without a chance to tidy up.
    let verified = try RunningProgram(
      product: "tictactoe-server", ["verify", "--data", folder])
    #expect(try verified.exitCode() == 0)
    if Self.rounds > 10 { print("\(durability): \(Self.rounds) rounds, \(lines) lines") }
  }

  /// The events of a match, by their numbers.
  private func export(_ match: String) throws -> [Int: String] {
    let tool = try RunningProgram(
      product: "tictactoe-server", ["export", match, "--data", folder])
    var lines: [Int: String] = [:]
    for line in try tool.readToEnd().split(separator: "\n") {
      lines[try #require(CrashPlayer.seq(of: String(line)))] = String(line)
    }
    #expect(try tool.exitCode() == 0)
    return lines
  }

  @Test func `two real clients notice only a pause`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var server = try start()
    let ann = try server.client(["--name", "ann"])
    try ann.type("start")
    try ann.read(until: "Waiting for")
    let bob = try server.client(["--name", "bob"])
    try bob.type("start")
    try bob.read(until: "ann plays X, bob plays O.")
    try ann.type("5")
    try bob.read(until: "bob, put O on (1 to 9): ")
    server.program.send(SIGKILL)
    try ann.read(until: "Reconnecting")
    try bob.read(until: "Reconnecting")
    server = try start(port: server.port)
    try ann.read(until: "Connected again.")
    try bob.read(until: "Connected again.")
    try bob.read(until: "bob, put O on (1 to 9): ")
    try bob.type("1")
    try ann.read(until: "bob puts O on 1.")
    try ann.type("quit")
    try bob.read(until: "ann has left: you win.")
    try bob.type("quit")
    #expect(try ann.exitCode() == 0)
    #expect(try bob.exitCode() == 0)
  }

  @Test func `a server that is stopped and started again ends no match`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var server = try start()
    let ann = try server.client(["--name", "ann", "--start", "bot"])
    try ann.read(until: "ann, put X on (1 to 9): ")
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
    server = try start(port: server.port)
    try ann.read(until: "ann, put X on (1 to 9): ")
    try ann.type("5")
    try ann.read(until: "ann, put X on (1 to 9): ")
    try ann.type("quit")
    #expect(try ann.exitCode() == 0)
  }

  @Test func `the first line says where the data is, and a second server who uses it`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = try start()
    let second = try RunningProgram(
      product: "tictactoe-server", ["--port", "0", "--data", folder])
    #expect(try second.exitCode() == 69)
    let sentence = try second.errorOutput()
    #expect(sentence.contains("\(folder) is in use by process "))
    let ann = try first.client(["--name", "ann", "--start", "bot"])
    try ann.read(until: "ann, put X on (1 to 9): ")
    first.program.send(SIGKILL)
    let lines = try first.program.errorOutput().split(separator: "\n")
    #expect(lines.first == "tictactoe-server: The data is in \(folder).")
    // The lock ends with the process.
    let third = try start()
    third.program.send(SIGTERM)
    #expect(try third.program.exitCode() == 0)
  }

  @Test func `a start that cannot listen does not touch the data`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = try start()
    let other = folder + "-other"
    for (arguments, code, text) in [
      (["--port", first.port, "--data", other], 69, "Port \(first.port) is in use."),
      (["--host", "no.such.host.invalid", "--data", other], 68, "There is no host called"),
      // Two servers with one port and one folder: the sentence names the other process.
      (["--port", first.port, "--data", folder], 69, "\(folder) is in use by process "),
    ] {
      let second = try RunningProgram(
        product: "tictactoe-server", ["--host", "127.0.0.1"] + arguments)
      #expect(try second.exitCode() == code)
      #expect(try second.errorOutput().contains(text))
      #expect(!FileManager.default.fileExists(atPath: other))
    }
    first.program.send(SIGTERM)
    #expect(try first.program.exitCode() == 0)
  }

  @Test func `a folder without room for the first segment ends the start`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // The unit is 1 KiB in bash, and 512 bytes elsewhere.
    let server = try RunningProgram(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c", "ulimit -f 100 && exec \"$0\" \"$@\"",
        RunningProgram.product("tictactoe-server").path, "--port", "0", "--data", folder,
      ])
    #expect(try server.exitCode() == 73)
    #expect(try server.errorOutput().contains("The journal cannot be written in \(folder)"))
    let nowhere = try RunningProgram(
      product: "tictactoe-server", ["--port", "0", "--data", "/dev/null/data"])
    #expect(try nowhere.exitCode() == 73)
  }

  @Test func `a journal that is damaged where it was synced ends the start`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try start()
    let ann = try server.client(["--name", "ann", "--start", "bot"])
    try ann.read(until: "ann, put X on (1 to 9): ")
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
    let file = folder + "/journal/00000001.log"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file))
    let again = try RunningProgram(product: "tictactoe-server", ["--port", "0", "--data", folder])
    #expect(try again.exitCode() == 65)
    #expect(try again.errorOutput().contains("\(file), after "))
  }
}

/// A player whose session outlives the server's process, and what it was told.
private final class CrashPlayer {
  /// Some of them are refused.
  static let commands =
    ["resign", "start", "start", "cancel", "decline", "say hello", "sync 1"]
    + (0..<9).flatMap { Array(repeating: "place \($0 / 3) \($0 % 3)", count: 3) }

  private var session: SocketSession
  private(set) var match: String?
  /// The lines of events by their numbers, without the field `you`.
  private(set) var told: [Int: String] = [:]
  private var token = ""
  private var last = 0

  init(_ name: String, _ port: String) throws {
    session = try SocketSession(port: port)
    try say("login \(name)")
  }

  static func seq(of line: String) -> Int? {
    line.firstMatch(of: /"seq":([0-9]+)/).flatMap { Int($0.1) }
  }

  func type(_ line: String) throws { try session.type(line) }

  /// Types a line, and reads what comes until it was carried out.
  func say(_ line: String) throws {
    if line != "ping" { try session.type(line) }
    try session.type("ping")
    while let line = try session.readLine() {
      try take(line)
      if line == #"{"type":"pong"}"# { return }
    }
    throw RunningProgram.TimeoutError(description: "The server has closed the connection.")
  }

  func readToEnd() throws {
    while let line = try session.readLine() { try take(line) }
  }

  /// Resumes, and expects that the match goes on where this player has left it.
  func resume(_ port: String) throws {
    let before = last
    session = try SocketSession(port: port)
    try say("resume \(token) \(last)")
    #expect(last > before, "nothing came after event \(before)")
  }

  private func take(_ line: String) throws {
    if let found = line.firstMatch(of: /"token":"([^"]+)"/) { token = String(found.1) }
    if let found = line.firstMatch(of: /"match":"([^"]+)"/) {
      if match == nil { match = String(found.1) }
      #expect(String(found.1) == match, "another match: \(line)")
    }
    #expect(!line.contains("unknownToken"))
    guard let seq = Self.seq(of: line) else { return }
    if line.hasPrefix(#"{"type":"matchSnapshot""#) {
      #expect(seq >= last, "event \(last) was told, but the snapshot ends with \(seq)")
      last = max(last, seq)
    } else {
      // `sync` sends events again.
      #expect(seq <= last + 1, "event \(seq) follows \(last)")
      last = max(last, seq)
      let plain = line.replacing(#","you":"X""#, with: "").replacing(#","you":"O""#, with: "")
      if let before = told[seq] { #expect(before == plain, "event \(seq) has changed") }
      told[seq] = plain
    }
  }
}
