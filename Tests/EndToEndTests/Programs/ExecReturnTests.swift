import Foundation
import Testing

/// Programs that play by `--exec`, at a real server that goes away and comes back.
@Suite(.serialized) struct ExecReturnTests {
  private let folder = NSTemporaryDirectory() + "tictactoe-exec-\(UUID().uuidString)"
  private var fifo: String { folder + "/go" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    mkfifo(fifo, 0o600)
  }

  private func start(port: String = "0", keepsData: Bool = true) throws -> RunningServer {
    try RunningServer(["--data", keepsData ? folder + "/data" : "none"], port: port)
  }

  private func run(_ command: String, at server: RunningServer) throws -> RunningProgram {
    try RunningProgram(
      product: "tictactoe-client", ["127.0.0.1", "--port", server.port, "--exec", command],
      environment: ["XDG_STATE_HOME": folder])
  }

  /// Waits for an event, and reports it. The client shows the command, so the word is in pieces.
  private static func wait(for event: String) -> String {
    "while read -r line; do case $line in *\(event)*) printf '%s' se en- >&2; echo \(event) >&2;"
      + " break;; esac; done"
  }

  /// Lets the program go on.
  private func signal() throws {
    let file = try #require(FileHandle(forWritingAtPath: fifo))
    try file.write(contentsOf: Data("go\n".utf8))
    try file.close()
  }

  /// Ends the server, lets the program write its next line meanwhile, and starts another server.
  /// Returns what the client shows until it ends.
  private func goOn(
    _ client: RunningProgram, after end: Int32, of server: RunningServer
  ) throws -> String {
    server.program.send(end)
    _ = try? server.program.exitCode()
    try client.readErrorOutput(until: "Reconnecting")
    // What it writes waits for the connection.
    try signal()
    let next = try start(port: server.port)
    defer { _ = next }
    #expect(try client.exitCode() == 0)
    let shown = try client.errorOutput()
    #expect(shown.contains("Connected again."))
    return shown
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `a program plays on after the server was ended and started again`(end: Int32) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try start()
    let client = try run(
      "echo login ann; echo start bot; \(Self.wait(for: "gameDidStart")); read -r go <'\(fifo)';"
        + " echo place 1 1; \(Self.wait(for: "boardDidChange")); echo quit; cat >/dev/null",
      at: server)
    try client.readErrorOutput(until: "seen-gameDidStart")
    let shown = try goOn(client, after: end, of: server)
    #expect(shown.contains("seen-boardDidChange"))
  }

  @Test(arguments: [SIGKILL, SIGTERM])
  func `a program may log in after the server was ended and started again`(end: Int32) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try start()
    let client = try run(
      "\(Self.wait(for: "hello")); read -r go <'\(fifo)'; echo login ann;"
        + " read -r next; printf '%s\\n' \"$next\" >&2; echo quit; cat >/dev/null", at: server)
    try client.readErrorOutput(until: "seen-hello")
    let shown = try goOn(client, after: end, of: server)
    // There is no second greeting.
    #expect(shown.contains("\n{\"type\":\"didLogin\",\"name\":\"ann\""))
  }

  @Test func `a program that waits for an opponent waits again after a restart`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try start(keepsData: false)
    let client = try run(
      "echo login ann; echo start; \(Self.wait(for: "didQueue"));"
        + " \(Self.wait(for: "gameDidStart")); echo quit; cat >/dev/null", at: server)
    try client.readErrorOutput(until: "seen-didQueue")
    server.program.send(SIGKILL)
    _ = try? server.program.exitCode()
    let next = try start(port: server.port, keepsData: false)
    try client.readErrorOutput(until: "Connected again.")
    let other = try run(
      "echo login bob; echo start; \(Self.wait(for: "gameDidStart")); echo quit; cat >/dev/null",
      at: next)
    #expect(try other.exitCode() == 0)
    #expect(try client.exitCode() == 0)
  }

  @Test func `a match that is lost with its server ends the client with 69 and a sentence`() throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try start(keepsData: false)
    let client = try run(
      "echo login ann; echo start bot; \(Self.wait(for: "gameDidStart")); cat >/dev/null",
      at: server)
    try client.readErrorOutput(until: "seen-gameDidStart")
    server.program.send(SIGKILL)
    _ = try? server.program.exitCode()
    let next = try start(port: server.port, keepsData: false)
    #expect(try client.exitCode() == 69)
    #expect(try client.errorOutput().contains("the server does not have it any more."))
    _ = next
  }

  @Test func `the next start of a client that was killed takes the game up`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try start()
    let client = try run(
      "echo login ann; echo start bot; \(Self.wait(for: "gameDidStart")); cat >/dev/null",
      at: server)
    try client.readErrorOutput(until: "seen-gameDidStart")
    client.send(SIGKILL)
    _ = try? client.exitCode()
    let next = try run(
      "echo login ann; \(Self.wait(for: "playing")); \(Self.wait(for: "matchSnapshot"));"
        + " echo place 1 1; \(Self.wait(for: "boardDidChange")); echo quit; cat >/dev/null",
      at: server)
    #expect(try next.exitCode() == 0)
    #expect(try next.errorOutput().contains("seen-boardDidChange"))
  }

  @Test func `what a program has started in the background does not keep the client`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try start(keepsData: false)
    let client = try run("sleep 20 2>/dev/null & exit 0", at: server)
    #expect(try client.exitCode() == 0)
  }
}
