import Foundation
import Testing

/// The operator's socket of the real server, and the command that speaks to it.
@Suite(.serialized) struct AdminToolTests {
  private let folder = NSTemporaryDirectory() + "ttt-admin-\(UUID().uuidString.prefix(8))"
  private var socket: String { "\(folder)/admin.sock" }

  private func admin(
    _ arguments: [String], at location: [String]? = nil
  ) throws -> (code: Int32, output: String, errors: String) {
    let program = try RunningProgram(
      product: "tictactoe-server", ["admin"] + arguments + (location ?? ["--data", folder]))
    let output = try program.readToEnd()
    return (try program.exitCode(), output, try program.errorOutput())
  }

  @Test func `a reload says that the greeting of the operator stays`() throws {
    let file = "\(folder).conf"
    defer {
      for path in [folder, file] { try? FileManager.default.removeItem(atPath: path) }
    }
    try Data("motd = One".utf8).write(to: URL(fileURLWithPath: file))
    let server = try RunningServer(["--data", folder, "--config", file])
    defer { server.program.send(SIGKILL) }
    try Data("motd = Two".utf8).write(to: URL(fileURLWithPath: file))
    #expect(try admin(["reload"]).output == "These options have changed: motd.\n")
    #expect(try admin(["motd", "Three"]).code == 0)
    try Data("motd = Four".utf8).write(to: URL(fileURLWithPath: file))
    #expect(
      try admin(["reload"]).output
        == "These options have changed: motd. The greeting stays that of the admin command motd."
        + " To take that of the configuration, type: tictactoe-server admin motd default\n")
    #expect(try admin(["status"]).output.contains("Three"))
    #expect(try admin(["motd", "default"]).output.contains("“Four”"))
  }

  @Test func `the group may look through a socket of its own`() throws {
    let reading = "\(folder).read"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try RunningServer(["--data", folder, "--admin-read", reading])
    defer { server.program.send(SIGKILL) }
    let attributes = try FileManager.default.attributesOfItem(atPath: reading)
    #expect(attributes[.posixPermissions] as? Int == 0o660)
    let own = try FileManager.default.attributesOfItem(atPath: socket)
    #expect(own[.posixPermissions] as? Int == 0o600)
    #expect(try admin(["status"], at: ["--socket", reading]).output.contains("serving"))
    let refused = try admin(["drain"], at: ["--socket", reading])
    #expect(refused.code == 1 && refused.errors.contains("This socket is for reading"))
    #expect(try admin(["status"]).output.contains("serving"))
    server.program.send(SIGINT)
    #expect(try server.program.exitCode() == 0)
    #expect(!FileManager.default.fileExists(atPath: reading))
  }

  @Test func `the data may be in a folder with a path of any length`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let deep = folder + String(repeating: "/a folder with a rather long name", count: 8)
    let server = try RunningServer(["--data", deep])
    defer { server.program.send(SIGKILL) }
    #expect(try admin(["status"], at: ["--data", deep]).output.contains("serving"))
    #expect(try admin(["ban", "192.0.2.256"], at: ["--socket", "\(deep)/admin.sock"]).code == 64)
    #expect(try admin(["unban", "192.0.2.1"], at: ["--socket", "\(deep)/admin.sock"]).code == 1)
  }

  @Test func `SIGTERM during a drain waits for games, and cannot be taken back`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try RunningServer(["--data", folder, "--drain", "10m"])
    defer { server.program.send(SIGKILL) }
    let (ann, bob) = (try SocketSession(port: server.port), try SocketSession(port: server.port))
    try ann.type("login ann\nstart")
    while let line = try ann.readLine(), !line.contains("didQueue") {}
    try bob.type("login bob\nstart")
    while let line = try bob.readLine(), !line.contains("gameDidStart") {}
    #expect(try admin(["drain", "5m"]).code == 0)
    #expect(try admin(["resume"]).output == "Games begin again.\n")
    #expect(try admin(["drain", "5m"]).code == 0)
    server.program.send(SIGTERM)
    try server.program.readErrorOutput(until: "signal name=SIGTERM")
    let refused = try admin(["resume"])
    #expect(refused.code == 1)
    #expect(refused.errors.contains("a signal has told it to stop"))
    #expect(try admin(["status"]).output.contains("draining, stops within 9m"))
    try bob.type("resign")
    #expect(try server.program.exitCode() == 0)
  }

  @Test func `an operator sees who plays, kicks and bans, and a restart keeps the bans`() throws {
    let copy = "\(folder)-copy"
    defer {
      for path in [folder, copy] { try? FileManager.default.removeItem(atPath: path) }
    }
    var server = try RunningServer(["--data", folder])
    let attributes = try FileManager.default.attributesOfItem(atPath: socket)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let ann = try server.client(["--name", "ann", "--start", "bot"])
    try ann.read(until: "ann, put X on (1 to 9): ")
    let status = try admin(["status"])
    #expect(status.code == 0, "\(status.errors)")
    #expect(status.output.contains("\nsessions          1\n"))
    #expect(status.output.contains("\ndata              \(folder)\n"))
    let players = try admin(["players"])
    #expect(players.output.contains("NAME  ADDRESS    PLACE"))
    #expect(players.output.contains("ann   127.0.0.1  playing"))
    let matches = try admin(["matches", "--json"])
    #expect(
      matches.output.hasPrefix(#"{"type":"matches","count":1}"# + "\n" + #"{"type":"match","#))
    #expect(try admin(["tree"]).output.hasPrefix("Root\n  LoggedIn: "))
    let kicked = try admin(["kick", "ann", "Be", "nice."])
    #expect(kicked.output == "ann was disconnected: Be nice.\n")
    #expect(try ann.exitCode() == 69)
    #expect(
      try ann.errorOutput().hasSuffix("The operator of the server has disconnected you: Be nice.\n")
    )
    let again = try admin(["kick", "ann"])
    #expect(again.code == 1)
    #expect(
      again.errors.hasSuffix(
        "Nobody called ann is logged in. To see who is, type: tictactoe-server admin players\n"))
    #expect(try admin(["kick", "ann", "--json"]).output.hasPrefix(#"{"type":"error","#))
    #expect(try admin(["ban", "127.0.0.1", "7d"]).code == 0)
    server.program.send(SIGKILL)
    #expect(throws: (any Error).self) { try server.program.exitCode() }
    // The socket of the process that has died is replaced.
    #expect(FileManager.default.fileExists(atPath: socket))
    server = try RunningServer(["--data", folder])
    let bans = try admin(["bans"])
    #expect(bans.output.contains("ban  127.0.0.1  6d 23h   address"))
    let banned = try server.client(["--name", "ann"])
    #expect(try banned.exitCode() == 69)
    #expect(
      try banned.errorOutput().hasSuffix("Your address is banned from this server for 7 days.\n"))
    let backup = try RunningProgram(
      product: "tictactoe-server", ["backup", copy, "--data", folder])
    #expect(try backup.exitCode() == 0)
    #expect(
      FileManager.default.contents(atPath: "\(copy)/operator.json")
        == FileManager.default.contents(atPath: "\(folder)/operator.json"))
    #expect(try admin(["drain", "10m"]).output == "The server stops now.\n")
    #expect(try server.program.exitCode() == 0)
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  @Test func `a damaged file of decisions keeps the server from starting`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("{".utf8).write(to: URL(fileURLWithPath: "\(folder)/operator.json"))
    let server = try RunningProgram(
      product: "tictactoe-server", ["--port", "0", "--data", folder])
    #expect(try server.exitCode() == 65)
    #expect(try server.errorOutput().contains("\(folder)/operator.json is damaged."))
  }

  @Test func `a server without data has a socket where it is told to`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = "\(folder)/own.sock"
    let server = try RunningServer(["--admin", path])
    let status = try admin(["status"], at: ["--socket", path])
    #expect(status.output.contains("\ndata              none\n"))
    let second = try RunningProgram(
      product: "tictactoe-server", ["--port", "0", "--data", "none", "--admin", path])
    #expect(try second.exitCode() == 69)
    #expect(
      try second.errorOutput().contains("Another process uses the admin socket \(path)."))
    let long = "\(folder)/\(String(repeating: "x", count: 200))"
    let third = try RunningProgram(
      product: "tictactoe-server", ["--port", "0", "--data", "none", "--admin", long])
    #expect(try third.exitCode() == 73)
    #expect(try third.errorOutput().contains("is too long: its last part may have up to"))
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try admin(["status"], at: ["--socket", path]).code == 69)
  }

  @Test func `wrong usage is 64, and the help lists all commands`() throws {
    for arguments in [
      [], ["dance"], ["kick"], ["kick", ""], ["kick", "bot"], ["log", "loud"], ["status", "now"],
      ["quit"], ["help", "quit"], ["ban", "192.0.2.256"], ["ban", "0x7f000001"],
      ["ban", "ann", "0"],
      ["ban", "ann", "soon"], ["ban", "Player 3"], ["unban", "10.0.0.1/8"], ["mute", "127.1"],
      ["mute", "Player 3"], ["mute", "ann", "-1h"], ["unmute", "192.0.2.1"], ["drain", "soon"],
      ["announce"], ["account"], ["password", "bot"], ["forget"], ["accounts", "a", "b"],
      ["compact", "now"],
    ] {
      let refused = try admin(arguments)
      #expect(refused.code == 64, "\(arguments)")
      #expect(!refused.errors.contains("No server answers"), "\(arguments)")
    }
    #expect(try admin(["stats"]).errors.contains("Did you mean status?"))
    #expect(try admin(["acount", "ann"]).errors.contains("Did you mean account?"))
    let help = try admin(["--help"])
    #expect(help.code == 0)
    #expect(help.output.contains("\n  kick NAME [REASON]"))
    #expect(help.output.contains("\n  drain [TIME]"))
    #expect(try admin(["status"]).code == 69)
  }
}
