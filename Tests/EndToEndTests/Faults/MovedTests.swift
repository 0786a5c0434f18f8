import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// Two servers that are one, over real TCP: a player who asks for a game at the first one is moved
/// to the second one, where the opponent is.
@Suite(.serialized) struct MovedTests {
  private let loop: EventLoop
  /// Has the match.
  private let owner: ScriptedNode
  /// The one to which the person connects.
  private let entry: ScriptedNode

  init() throws {
    let loop = try EventLoop()
    let match = ScriptedMatch()
    let owner = try ScriptedNode(on: loop, match.reply)
    self.loop = loop
    self.owner = owner
    entry = try ScriptedNode(on: loop) { command in
      switch command {
      case .login(let name, _): [.didLogin(name: name ?? "Player 1", token: "t1")]
      default: [.moved(to: owner.address)]
      }
    }
  }

  private func turn(until what: String, _ condition: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while try !condition() {
      try loop.turn(wait: .milliseconds(10))
      guard ContinuousClock.now < deadline else {
        throw RunningProgram.TimeoutError(description: "\(what) does not happen.")
      }
    }
  }

  @Test func `the client in plain lines plays on at the second server`() throws {
    let client = InProcessClient("ann", loop: loop, port: entry.port)
    client.launch()
    client.type("start")
    client.type("5")
    try turn(until: "The move") { client.board?.rows == [".O.", ".X.", "..."] }
    #expect(entry.received.last?.type == .start)
    #expect(
      owner.received == [.resume(token: "t1", seq: nil), .place(Cell(row: 1, column: 1), seq: nil)])
    // The second server does not come back, and the first one knows where the match is.
    owner.cut()
    try turn(until: "The return") { owner.received.count == 3 && client.isOnline }
    #expect(entry.received.last == .resume(token: "t2", seq: 3))
    #expect(owner.received.last == .resume(token: "t2", seq: 3))
  }

  @Test func `the client on the full screen plays on without a word`() throws {
    let client = try ScreenClient(["127.0.0.1", "--port", "\(entry.port)", "--name", "ann"])
    func wait(for text: String) throws {
      try turn(until: text) {
        while try client.terminal.readSome(before: .zero) {}
        return client.lines.contains { $0.contains(text) }
      }
    }
    try wait(for: "Nobody else is here now.")
    try client.type("\(Keys.down)\(Keys.enter)")
    try wait(for: "Your turn: place X")
    try wait(for: "Enter 1–9 place")
    #expect(!client.lines.contains { $0.contains("onnect") || $0.contains("PORT") })
    try client.type("5")
    try turn(until: "The move") { owner.received.count == 2 }
  }

  @Test func `a program of exec plays on and does not notice`() throws {
    let script = """
      read -r hello; echo login ann; read -r login; echo start; read -r game
      echo '{"type":"place","id":7,"row":1,"col":1}'; read -r change; read -r other
      echo quit; read -r bye
      printf '%s\\n' "$login" "$game" "$change" "$other" "$bye" >&2
      """
    let client = try RunningProgram(
      product: "tictactoe-client", ["127.0.0.1", "--port", "\(entry.port)", "--exec", script])
    try turn(until: "The end") { owner.received.last == .quit }
    // The program gets `bye` in the next turns.
    for _ in 0..<20 { try loop.turn(wait: .milliseconds(10)) }
    #expect(try client.exitCode() == 0)
    let lines = try client.errorOutput().split(separator: "\n").suffix(5).map { String($0) }
    #expect(lines[0] == #"{"type":"didLogin","name":"ann","token":"t1"}"#)
    #expect(lines[1].hasPrefix(#"{"type":"gameDidStart","you":"X","match":"m","seq":1"#))
    #expect(lines[2].hasPrefix(#"{"type":"boardDidChange","re":7,"match":"m","seq":2"#))
    #expect(lines[3].hasPrefix(#"{"type":"boardDidChange","match":"m","seq":3"#))
    #expect(lines[4].hasPrefix(#"{"type":"bye","code":"quit""#))
    #expect(owner.received.map(\.type) == [.resume, .place, .quit])
  }
}
