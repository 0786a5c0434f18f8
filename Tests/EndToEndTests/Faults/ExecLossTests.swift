import Foundation
import TestSupport
import Testing

@testable import Client
@testable import Shared

/// Programs that play by `--exec`, whose connection is lost while all kinds of things happen at the
/// server.
@Suite(.serialized) struct ExecLossTests {
  private let loop: EventLoop
  private let match = ScriptedMatch()

  init() throws {
    loop = try EventLoop()
  }

  /// A program that places a mark after a loss in its game, and reports what it gets.
  private static let script = """
    read -r hello; echo login ann; read -r login; echo start; read -r game
    read -r go <"$GO"; echo '{"type":"place","id":7,"row":1,"col":1}'; read -r change
    read -r other; echo quit; read -r bye
    printf '%s\\n' "$login" "$game" "$change" "$other" "$bye" >&2
    """

  private func node(makeTLS: (() throws -> TLSSession)? = nil) throws -> ScriptedNode {
    try ScriptedNode(on: loop, makeTLS: makeTLS) { [match] command in
      switch command {
      case .login(let name, _): [.didLogin(name: name ?? "Player 1", token: "t1")]
      // The game begins with the first resumption.
      case .start: Array(match.reply(to: .resume(token: "", seq: nil)).dropFirst())
      default: match.reply(to: command)
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

  /// Runs the program. `disturb` is called when its game has begun, and `serve` when the client has
  /// tried to come back.
  private func play(
    at entry: ScriptedNode, _ arguments: [String] = [], host: String = "127.0.0.1",
    disturb: () -> Void, serve: () -> Void = {}
  ) throws -> [String] {
    let fifo = NSTemporaryDirectory() + "tictactoe-go-\(UUID().uuidString)"
    mkfifo(fifo, 0o600)
    defer { unlink(fifo) }
    let client = try RunningProgram(
      product: "tictactoe-client",
      [host, "--port", "\(entry.port)"] + arguments + ["--exec", Self.script],
      environment: ["GO": fifo])
    try turn(until: "The start") { entry.received.last?.type == .start }
    let before = entry.connections
    disturb()
    try turn(until: "The attempt") { entry.connections > before + 1 }
    serve()
    // Blocks until the program reads.
    let go = open(fifo, O_RDWR)
    _ = write(go, "go\n", 3)
    defer { close(go) }
    try turn(until: "The end") { client.hasEnded }
    #expect(try client.exitCode() == 0)
    let lines = try client.errorOutput().split(separator: "\n").map { String($0) }
    #expect(lines.contains { $0.hasSuffix("Connected again.") })
    return lines.suffix(5)
  }

  private func expectWholeGame(_ lines: [String]) {
    #expect(lines.first == #"{"type":"didLogin","name":"ann","token":"t1"}"#)
    #expect(lines[1].hasPrefix(#"{"type":"gameDidStart","you":"X","match":"m","seq":1"#))
    #expect(lines[2].hasPrefix(#"{"type":"boardDidChange","re":7,"match":"m","seq":2"#))
    #expect(lines[3].hasPrefix(#"{"type":"boardDidChange","match":"m","seq":3"#))
    #expect(lines[4].hasPrefix(#"{"type":"bye","code":"quit""#))
  }

  @Test func `a program plays on after its server was full`() throws {
    let node = try node()
    let lines = try play(at: node) {
      node.refusal = .bye(.full, retry: .milliseconds(100))
      node.cut()
    } serve: {
      node.refusal = nil
    }
    expectWholeGame(lines)
    #expect(node.received.contains(.resume(token: "t1", seq: 1)))
  }

  @Test func `a program is moved while its connection is lost`() throws {
    let owner = try node()
    var isMoved = false
    let entry = try ScriptedNode(on: loop) { [match] command in
      switch command {
      case .login(let name, _): [.didLogin(name: name ?? "Player 1", token: "t1")]
      case .start: Array(match.reply(to: .resume(token: "", seq: nil)).dropFirst())
      default: isMoved ? [.moved(to: owner.address)] : match.reply(to: command)
      }
    }
    let lines = try play(at: entry) {
      isMoved = true
      entry.refusal = .bye(.full, retry: .milliseconds(100))
      entry.cut()
    } serve: {
      entry.refusal = nil
    }
    expectWholeGame(lines)
    #expect(owner.received.map(\.type) == [.resume, .place, .quit])
  }

  @Test(.enabled(if: (try? OpenSSL.load()) != nil, "there is no libssl on this machine"))
  func `a program plays on over TLS after a loss`() throws {
    let node = try node { try TLSFixture.serverSession() }
    let lines = try play(
      at: node, ["--tls-ca", TLSFixture.path(of: "authority")], host: "localhost"
    ) {
      node.refusal = .bye(.full, retry: .milliseconds(100))
      node.cut()
    } serve: {
      node.refusal = nil
    }
    expectWholeGame(lines)
  }
}
