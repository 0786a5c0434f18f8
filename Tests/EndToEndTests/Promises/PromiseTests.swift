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

  /// Calls `body` with the path of a copy of the data folder.
  private func withData(_ body: (String) throws -> Void) throws {
    let copy = FileManager.default.temporaryDirectory.appending(path: "promise-\(UUID())")
    try FileManager.default.copyItem(at: Self.files.appending(path: "data"), to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    try body(copy.path)
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

  @Test func `a configuration of 1.0.0 is taken`() throws {
    let file = Self.files.appending(path: "tictactoe-server.conf").path
    let program = try RunningProgram(
      product: "tictactoe-server", ["--check-config", "--config", file])
    #expect(try program.exitCode() == 0)
  }

  @Test func `a client of 1.0.0 gets what it got then`() throws {
    let server = try RunningServer()
    let session = try SocketSession(port: server.port)
    for line in try Self.lines(of: "session.txt") {
      if line.hasPrefix("> ") {
        try session.type(String(line.dropFirst(2)))
      } else {
        let old = try JSONObject(String(line.dropFirst(2)))
        let new = try JSONObject(try #require(try session.readLine()))
        #expect(new.type == old.type)
        let missing = old.shape.subtracting(new.shape)
        #expect(missing.isEmpty, "\(old.type) had more: \(missing.sorted())")
      }
    }
  }

  @Test func `a match that 1.0.0 exported can be seen again`() throws {
    let file = Self.files.appending(path: "match.jsonl").path
    let program = try RunningProgram(product: "tictactoe-client", ["--replay", file, "--plain"])
    try program.endInput()
    #expect(try program.exitCode() == 0)
  }

  @Test func `the exit codes are those of the document`() throws {
    let page = Self.files.appending(path: "../../../../docs/operations.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let rest = try #require(text.components(separatedBy: "\n## Exit codes\n").last)
    let section = try #require(rest.components(separatedBy: "\n## ").first)
    let codes = section.matches(of: /\| (\d+) \|/).compactMap { Int32($0.1) }
    #expect(codes == [0, 1, 64, 65, 66, 68, 69, 73, 74, 76, 78])
    #expect(codes.allSatisfy { ExitCode(rawValue: $0) != nil })
  }
}

/// A line of the wire.
private struct JSONObject {
  private let fields: [String: Any]

  init(_ line: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    fields = try #require(object as? [String: Any])
  }

  var type: String { fields["type"] as? String ?? "" }

  subscript(name: String) -> Any? { fields[name] }

  /// The names of all fields, at any depth, each with the kind of its value.
  var shape: Set<String> { Self.shape(of: fields, at: "") }

  private static func shape(of value: Any, at path: String) -> Set<String> {
    switch value {
    case let object as [String: Any]:
      object.reduce(into: [path + "{}"]) {
        $0.formUnion(shape(of: $1.value, at: "\(path).\($1.key)"))
      }
    case let array as [Any]:
      array.reduce(into: [path + "[]"]) { $0.formUnion(shape(of: $1, at: path + "[]")) }
    case is String: [path + " text"]
    case is NSNumber: [path + " number"]
    default: [path + " null"]
    }
  }
}
