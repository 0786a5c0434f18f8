import Foundation
import Testing

/// How the real programs end, with which code and which message.
@Suite(.serialized) struct ExitTests {
  private func run(
    _ product: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (code: Int32, output: String, errorOutput: String) {
    let program = try RunningProgram(product: product, arguments, environment: environment)
    try program.endInput()
    let output = try program.readToEnd()
    return (try program.exitCode(), output, try program.errorOutput())
  }

  @Test(arguments: ["tictactoe-server", "tictactoe-client"])
  func `help and version go to standard output`(product: String) throws {
    let help = try run(product, ["--help"])
    #expect(help.code == 0)
    #expect(help.output.hasPrefix("Usage: \(product)"))
    let lines = help.output.components(separatedBy: "\n").dropLast()
    // The client's help fits on the smallest usual screen.
    #expect(lines.count <= (product == "tictactoe-client" ? 24 : 72))
    #expect(lines.allSatisfy { $0.count <= 100 })
    let version = try run(product, ["--version"])
    #expect(version.code == 0)
    #expect(version.output.hasPrefix("\(product) "))
  }

  @Test(arguments: [
    ("tictactoe-server", ["--prot", "1"]), ("tictactoe-server", ["--port", "70000"]),
    ("tictactoe-server", ["--port"]), ("tictactoe-server", ["here"]),
    ("tictactoe-client", ["--prot", "1"]), ("tictactoe-client", ["--port", "0"]),
    ("tictactoe-client", ["a", "b"]), ("tictactoe-client", ["--local", "--port", "80"]),
    ("tictactoe-client", ["--local=1"]), ("tictactoe-client", ["tictactoe://host:0"]),
  ])
  func `wrong usage exits with 64 and one sentence`(product: String, arguments: [String]) throws {
    let end = try run(product, arguments)
    #expect(end.code == 64)
    #expect(end.output.isEmpty)
    #expect(end.errorOutput.hasPrefix("\(product): "))
    #expect(end.errorOutput.split(separator: "\n").count == 1)
  }

  @Test(arguments: ["C", "POSIX", "xx_XX.EUC-KR"])
  func `what goes wrong is said in ASCII where the locale is not UTF-8`(locale: String) throws {
    for product in ["tictactoe-server", "tictactoe-client"] {
      let end = try run(product, ["a", "b–한"], environment: ["LC_ALL": locale])
      #expect(end.code == 64)
      #expect(end.errorOutput.utf8.allSatisfy { $0 < 0x80 })
      #expect(end.errorOutput.contains("\""))
    }
  }

  private func runShell(
    _ script: String, _ arguments: [String]
  ) throws -> (code: Int32, output: String, errorOutput: String) {
    let shell = try RunningProgram(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script, "sh"] + arguments)
    try shell.endInput()
    let output = try shell.readToEnd()
    return (try shell.exitCode(), output, try shell.errorOutput())
  }

  @Test(arguments: ["tictactoe-server", "tictactoe-client"])
  func `an argument that is not valid UTF-8 is refused`(product: String) throws {
    let program = RunningProgram.product(product).path
    let end = try runShell(#"exec "$1" --name "$(printf '\377nn')""#, [program])
    #expect(end.code == 64)
    #expect(end.errorOutput.hasPrefix("\(product): The argument “\u{FFFD}nn” is not valid UTF-8."))
  }

  #if os(Linux)
    @Test func `closed standard descriptors do not become files of the server`() throws {
      let folder = NSTemporaryDirectory() + "closed-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let script = #"""
        "$1" --port 0 --data "$2" --config none <&- >&- 2>&- & pid=$!
        until [ -S "$2/admin.sock" ] || ! kill -0 $pid; do sleep 0.05; done
        readlink /proc/$pid/fd/0 /proc/$pid/fd/1 /proc/$pid/fd/2
        kill -INT $pid
        wait $pid
        echo "exit $?"
        cat "$2/lock"
        """#
      let server = RunningProgram.product("tictactoe-server").path
      let end = try runShell(script, [server, folder])
      #expect(end.output.hasPrefix("/dev/null\n/dev/null\n/dev/null\nexit 0\n"))
      #expect(!end.output.contains("listening"))
    }
  #endif

  @Test func `a client without standard descriptors ends like one without input`() throws {
    let script = #""$1" --local --name ann --start bot <&- >&- 2>&-; echo "exit $?""#
    let end = try runShell(script, [RunningProgram.product("tictactoe-client").path])
    #expect(end.output == "exit 0\n")
  }

  @Test func `a wrong configuration file exits with 78 and one sentence`() throws {
    let folder = try ConfigurationFolder("name = ann\nbell = \u{1B}[2Jloud\n")
    let client = try RunningProgram(
      product: "tictactoe-client", ["--local"], environment: folder.environment)
    #expect(try client.exitCode() == 78)
    #expect(try client.readToEnd().isEmpty)
    #expect(
      try client.errorOutput() == "tictactoe-client: \(folder.file.path), line 2:"
        + " bell takes yes or no, not “\u{FFFD}[2Jloud”.\n")
    let help = try RunningProgram(
      product: "tictactoe-client", ["--help"], environment: folder.environment)
    #expect(try help.exitCode() == 0)
  }

  @Test func `the configuration file sets the options of the client`() throws {
    let folder = try ConfigurationFolder(
      "# tests\nlocal = yes\nname = ann\nstart = bot\ngame = connect\n")
    let client = try RunningProgram(
      product: "tictactoe-client", ["--game", "tictactoe"], environment: folder.environment)
    try client.endInput()
    #expect(try client.readToEnd().contains("ann plays X, bot plays O.\n 1 | 2 | 3\n"))
    #expect(try client.exitCode() == 0)
  }

  @Test(arguments: [
    ("tictactoe-server", "--\u{1B}[2Jx"), ("tictactoe-server", "\u{1B}[2Jx"),
    ("tictactoe-server", "--port=\u{1B}[2Jx"), ("tictactoe-server", "--turn=\u{1B}[2Jx"),
    ("tictactoe-server", "--host=\u{1B}[2Jx"), ("tictactoe-client", "--\u{1B}[2Jx"),
    ("tictactoe-client", "--port=\u{1B}[2Jx"), ("tictactoe-client", "tictactoe://\u{1B}[2Jx"),
    ("tictactoe-client", "--x\u{1B}[2J\u{202E}\r\n\u{9B}2J"),
    ("tictactoe-client", "\u{1B}[2Jx.invalid"),
  ])
  func `an error that cites a wrong argument contains no control characters`(
    product: String, argument: String
  ) throws {
    let isServer = product == "tictactoe-server"
    let end = try run(product, (isServer ? ["--data", "none"] : []) + [argument])
    #expect(end.code != 0)
    #expect(end.errorOutput.contains("\u{FFFD}"))
    let steering = end.errorOutput.unicodeScalars.filter {
      [.control, .format].contains($0.properties.generalCategory)
    }
    #expect(String(steering) == "\n")
  }

  @Test(arguments: [
    ("tictactoe-server", ["--host", "no-such-host.invalid"]),
    ("tictactoe-client", ["no-such-host.invalid"]),
  ])
  func `an unknown host exits with 68`(product: String, arguments: [String]) throws {
    let end = try run(product, arguments)
    #expect(end.code == 68)
    #expect(end.errorOutput.contains("no-such-host.invalid"))
  }

  @Test func `a port in use exits with 69`() throws {
    let server = try RunningServer()
    let end = try run("tictactoe-server", ["--host", "127.0.0.1", "--port", server.port])
    #expect(end.code == 69)
    #expect(end.errorOutput.contains("Port \(server.port) is in use."))
  }

  @Test func `a refused connection exits with 69`() throws {
    let server = try RunningServer()
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
    let end = try run("tictactoe-client", ["127.0.0.1", "--port", server.port])
    #expect(end.code == 69)
    #expect(end.errorOutput.contains("Connection refused"))
  }

  @Test func `the end of the input means quit`() throws {
    let server = try RunningServer()
    let client = try server.client()
    try client.endInput()
    #expect(try client.exitCode() == 0)
    #expect(try client.errorOutput().isEmpty)
  }

  @Test(arguments: [(SIGINT, "30s"), (SIGTERM, "0")])
  func `after a signal the server ends all matches, sends bye and exits with 0`(
    signal: Int32, drain: String
  ) throws {
    let server = try RunningServer(["--drain", drain])
    let (ann, bob) = (try SocketSession(port: server.port), try server.client(["--name", "bob"]))
    try bob.type("start")
    try bob.read(until: "Waiting")
    try ann.type("login ann")
    try ann.type("start")
    try bob.read(until: "bob, put X on")
    server.program.send(signal)
    var lines: [String] = []
    while let line = try ann.readLine() { lines.append(line) }
    #expect(lines.suffix(2).first?.contains(#""reason":"shutdown""#) == true)
    #expect(lines.last?.contains(#""type":"bye","code":"shutdown""#) == true)
    #expect(try server.program.exitCode() == 0)
    #expect(try bob.exitCode() == 69)
    #expect(try bob.errorOutput().contains("The server is shutting down"))
  }

  @Test func `a client whose server is killed before the login explains it and exits with 69`()
    throws
  {
    let server = try RunningServer()
    let client = try server.client()
    try client.read(until: "Your name")
    server.program.send(SIGKILL)
    #expect(try client.exitCode() == 69)
    #expect(try client.errorOutput().contains("is lost"))
  }
}
