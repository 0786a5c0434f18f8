import Foundation
import Testing

/// Programs that play by `--exec`, at the real server.
@Suite(.serialized) struct ExecTests {
  private static let bots = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs/bots").path

  private static let python = finds("python3 --version")
  private static let shell = finds("printf x | sed q | grep x")

  private static func finds(_ command: String) -> Bool {
    let program = try? RunningProgram(URL(fileURLWithPath: "/bin/sh"), ["-c", command])
    return (try? program?.exitCode()) == 0
  }

  private func run(
    _ command: String, at server: RunningServer
  ) throws -> (code: Int32, errorOutput: String) {
    let client = try server.client(["--exec", command])
    return (try client.exitCode(), try client.errorOutput())
  }

  @Test(.enabled(if: python, "there is no python3 on this machine"))
  func `the bot in Python plays a game`() throws {
    let server = try RunningServer()
    let end = try run("python3 '\(Self.bots)/bot.py'", at: server)
    #expect(end.code == 0)
    #expect(end.errorOutput.contains(#""type":"bye","code":"quit""#))
  }

  @Test(.enabled(if: shell, "there is no sh, sed and grep on this machine"))
  func `the bot in the shell plays a game`() throws {
    let server = try RunningServer()
    let end = try run("'\(Self.bots)/bot.sh'", at: server)
    #expect(end.code == 0)
    #expect(end.errorOutput.contains(#""type":"bye","code":"quit""#))
  }

  @Test func `the client reports which program plays where, and the server's errors`() throws {
    let server = try RunningServer()
    let end = try run("echo login bot; read -r a; read -r b", at: server)
    #expect(end.code == 0)
    let lines = end.errorOutput.split(separator: "\n")
    #expect(
      lines.first?.hasSuffix(
        "“echo login bot; read -r a; read -r b” is playing at 127.0.0.1 port \(server.port).")
        == true)
    #expect(lines.last?.contains(#""code":"badName""#) == true)
    #expect(lines.count == 2)
  }

  @Test func `the program's standard error is the client's`() throws {
    let server = try RunningServer()
    #expect(try run("echo thinking >&2", at: server).errorOutput.contains("thinking\n"))
  }

  @Test(arguments: [
    ("exit 3", "exited with code 3."), ("kill -KILL $$", "was killed by signal 9."),
    ("/no/such/bot", "exited with code 127."),
  ])
  func `a program that fails makes the client explain it and exit with 74`(
    command: String, sentence: String
  ) throws {
    let server = try RunningServer()
    let end = try run(command, at: server)
    #expect(end.code == 74)
    #expect(end.errorOutput.contains(sentence))
  }

  @Test func `a program that stays after it has quit is terminated, and the client exits with 74`()
    throws
  {
    let server = try RunningServer()
    let end = try run("echo quit; sleep 100", at: server)
    #expect(end.code == 74)
    #expect(end.errorOutput.contains("was terminated"))
  }

  @Test func `a program that ends its output gets no more input`() throws {
    let server = try RunningServer()
    let end = try run("exec >&-; cat >/dev/null; echo done >&2", at: server)
    #expect(end.code == 0)
    #expect(end.errorOutput.hasSuffix("done\n"))
  }

  @Test func `a server that stops ends the program, and the client exits with 69`() throws {
    let server = try RunningServer()
    let client = try server.client(["--exec", "read -r a; echo greeted >&2; read -r b; exit 1"])
    try client.readErrorOutput(until: "greeted\n")
    server.program.send(SIGTERM)
    #expect(try client.exitCode() == 69)
    #expect(try client.errorOutput().contains("The server is shutting down"))
  }

  @Test func `a server that is killed ends the program's input, and the client exits with 69`()
    throws
  {
    // The client waits for the server for as long as that keeps sessions.
    let server = try RunningServer(["--resume-within", "1s"])
    let client = try server.client([
      "--exec", "read -r a; echo greeted >&2; cat >/dev/null; printf 'the %s' end >&2",
    ])
    try client.readErrorOutput(until: "greeted\n")
    server.program.send(SIGKILL)
    #expect(try client.exitCode() == 69)
    let errorOutput = try client.errorOutput()
    #expect(errorOutput.contains("the end"))
    #expect(errorOutput.contains("is lost"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal also ends the program, and the client exits with 0`(signal: Int32) throws {
    let server = try RunningServer()
    let client = try server.client([
      "--exec",
      "trap 'echo ended >&2; exit 0' TERM; printf 'rea%s' dy >&2; while read -r x; do :; done",
    ])
    try client.readErrorOutput(until: "ready")
    try client.readErrorOutput(until: "is playing at")
    client.send(signal)
    #expect(try client.exitCode() == 0)
    #expect(try client.errorOutput().contains("ended\n"))
  }

  @Test func `a signal has its usual effect in the program`() throws {
    let server = try RunningServer()
    let end = try run("kill -TERM $$; sleep 100", at: server)
    #expect(end.errorOutput.contains("was killed by signal 15."))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/statm"), "no /proc here"))
  func `a program that writes without end and reads nothing does not use up the client's memory`()
    throws
  {
    let server = try RunningServer(["--per-second", "0"])
    let client = try server.client(["--exec", "yes help & sleep 1; printf 'ful%s' l >&2; wait"])
    try client.readErrorOutput(until: "is playing at")
    let before = try client.residentPages()
    // The server waits 10 s for the client to read its replies. Nothing moves in that time.
    try client.readErrorOutput(until: "full")
    #expect(try client.residentPages() - before < 4_000)
    client.send(SIGTERM)
    #expect(try client.exitCode() == 0)
  }

  @Test
  func `the server receives everything from a program that writes much, reads nothing and ends`()
    throws
  {
    let server = try RunningServer(["--per-second", "0"])
    #expect(try run("yes ping | head -n 50000; echo quit", at: server).code == 0)
  }

  @Test func `without a server the program is not started, and the client exits with 69`() throws {
    let server = try RunningServer()
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
    let end = try run("echo started >&2", at: server)
    #expect(end.code == 69)
    #expect(end.errorOutput.contains("Connection refused"))
    #expect(!end.errorOutput.contains("started"))
  }

  @Test func `a program that writes and reads much gets every reply`() throws {
    let server = try RunningServer(["--per-second", "0"])
    let end = try run(
      "(yes ping | head -n 50000; echo quit) & "
        + "test \"$(grep -c '\"pong\"')\" = 50000", at: server)
    #expect(end.code == 0)
    #expect(end.errorOutput.contains(#""code":"quit""#))
  }
}
