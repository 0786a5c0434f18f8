import Foundation
import Testing

/// Other programs that use the archive beside the real server.
@Suite(.serialized) struct VisitorTests {
  private let folder = NSTemporaryDirectory() + "tictactoe-visitor-\(UUID().uuidString)"
  private var archive: String { folder + "/archive.db" }

  /// Programs that open the database, read from it, and close it, and their arguments after the
  /// file.
  private static let readers = [
    "sqlite3": ["sqlite3", "FILE", "select count(*) from accounts"],
    "python3": [
      "python3", "-c",
      """
      import contextlib, sqlite3, sys
      with contextlib.closing(sqlite3.connect(sys.argv[1])) as database:
        print(database.execute("select count(*) from accounts").fetchone()[0])
      """, "FILE",
    ],
  ]

  /// Those of them that there are here.
  private static let installed = readers.keys.sorted().filter(RunningProgram.isInstalled)

  /// Types a line, and returns the next one that is of a type or an error.
  @discardableResult
  private func ask(
    _ session: SocketSession, _ line: String, for type: String
  ) throws -> String {
    try session.type(line)
    while let answer = try session.readLine() {
      if answer.hasPrefix(#"{"type":"\#(type)""#) || answer.contains(#""type":"error""#) {
        return answer
      }
    }
    throw RunningProgram.TimeoutError(description: "“\(type)” did not come.")
  }

  @Test(arguments: installed)
  func `a program that comes and goes takes nothing away that was told`(name: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let more = ["--data", folder, "--per-second", "0", "--burst", "0"]
    var server = try RunningServer(more)
    func visit() throws -> RunningProgram {
      let arguments = try #require(Self.readers[name]).map { $0 == "FILE" ? archive : $0 }
      return try RunningProgram(URL(fileURLWithPath: "/usr/bin/env"), arguments)
    }
    let names = (1...12).map { "ann\($0)" }
    for name in names {
      let session = try SocketSession(port: server.port)
      try ask(session, "login \(name)", for: "didLogin")
      let visitor = try visit()
      let answer = try ask(session, "register \"correct horse\"", for: "didRegister")
      #expect(answer.contains("didRegister"))
      try ask(session, "start bot", for: "gameDidStart")
      try ask(session, "resign", for: "gameDidEnd")
      try ask(session, "quit", for: "bye")
      #expect(Int(try visitor.readLine()) != nil)
      #expect(try visitor.exitCode() == 0)
    }
    #expect(try visit().readLine() == "\(names.count)")
    #expect(FileManager.default.fileExists(atPath: archive + "-wal"))
    server.program.send(SIGKILL)
    _ = try server.program.readToEnd()
    server = try RunningServer(more)
    for name in names {
      let session = try SocketSession(port: server.port)
      let answer = try ask(session, "login \(name) \"correct horse\"", for: "didLogin")
      #expect(answer.contains(#""registered":true"#), "\(answer)")
      let history = try ask(session, "history \(name)", for: "history")
      #expect(history.contains(#""resigned""#), "\(history)")
    }
  }

  @Test(.enabled(if: installed.contains("sqlite3")))
  func `three visitors at a time change nothing while games end and names are registered`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let more = ["--data", folder, "--per-second", "0", "--burst", "0"]
    var server = try RunningServer(more)
    let players = try ["ann", "bob"].map { name in
      let session = try SocketSession(port: server.port)
      try ask(session, "login \(name)", for: "didLogin")
      try ask(session, "register \"correct horse\"", for: "didRegister")
      return session
    }
    /// Opens the archive, and reads from it again each time.
    func look(_ visitor: RunningProgram) throws {
      try visitor.type("select count(*) from accounts;")
      #expect(try #require(Int(visitor.readLine())) >= players.count)
    }
    var visitors: [RunningProgram] = []
    let rounds = 12
    for round in 1...rounds {
      for player in players { try ask(player, "start bot", for: "gameDidStart") }
      visitors.append(
        try RunningProgram(
          URL(fileURLWithPath: "/usr/bin/env"), ["sqlite3", "-cmd", ".timeout 10000", archive]))
      for visitor in visitors { try look(visitor) }
      for player in players { try ask(player, "resign", for: "gameDidEnd") }
      let stranger = try SocketSession(port: server.port)
      try ask(stranger, "login eve\(round)", for: "didLogin")
      let answer = try ask(stranger, "register \"correct horse\"", for: "didRegister")
      #expect(answer.contains("didRegister"), "\(answer)")
      for visitor in visitors { try look(visitor) }
      for player in players { try ask(player, "leave", for: "matchDidEnd") }
      guard visitors.count == 3 else { continue }
      let oldest = visitors.removeFirst()
      try oldest.endInput()
      #expect(try oldest.exitCode() == 0)
    }
    for visitor in visitors {
      try visitor.endInput()
      #expect(try visitor.exitCode() == 0)
    }
    #expect(FileManager.default.fileExists(atPath: archive + "-wal"))
    server.program.send(SIGKILL)
    _ = try server.program.readToEnd()
    server = try RunningServer(more)
    for name in ["ann", "bob"] + (1...rounds).map({ "eve\($0)" }) {
      let session = try SocketSession(port: server.port)
      let answer = try ask(session, "login \(name) \"correct horse\"", for: "didLogin")
      #expect(answer.contains(#""registered":true"#), "\(answer)")
      guard name.count == 3 else { continue }
      let history = try ask(session, "history \(name)", for: "history")
      #expect(history.matches(of: /"resigned"/).count == rounds, "\(history)")
    }
  }

  #if os(Linux)
    /// A shell that may set its own limits on watches of files.
    private static let withoutWatches = [
      "unshare", "--user", "--map-root-user", "sh", "-c",
      #"echo 0 >/proc/sys/user/max_inotify_instances && exec "$@""#, "sh",
    ]

    private static let mayForbidWatches =
      (try? RunningProgram(URL(fileURLWithPath: "/usr/bin/env"), withoutWatches + ["true"])
        .exitCode()) == 0

    @Test(.enabled(if: mayForbidWatches, "no user namespaces here"))
    func `a server that cannot watch its files looks for them every few seconds`() throws {
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let program = try RunningProgram(
        URL(fileURLWithPath: "/usr/bin/env"),
        Self.withoutWatches + [
          RunningProgram.product("tictactoe-server").path, "--host", "127.0.0.1", "--port", "0",
          "--data", folder,
        ])
      _ = try program.readLine()
      // What the start writes into the archive would notice it too.
      Thread.sleep(forTimeInterval: 2)
      try FileManager.default.moveItem(atPath: archive, toPath: archive + ".away")
      #expect(try program.readErrorOutput(until: "dataMissing").contains(archive))
      try FileManager.default.moveItem(atPath: archive + ".away", toPath: archive)
      try program.readErrorOutput(until: "archiveAvailable")
      program.send(SIGTERM)
      #expect(try program.exitCode() == 0)
    }
  #endif

  /// A program that locks the archive until it gets a line. `mode` is what it sets before.
  private func lock(_ mode: String = "") throws -> RunningProgram {
    let program = try RunningProgram(
      URL(fileURLWithPath: "/usr/bin/env"),
      [
        "python3", "-c",
        """
        import sqlite3, sys
        database = sqlite3.connect(sys.argv[1], isolation_level=None)
        database.execute(sys.argv[2] or "select 1")
        database.execute("begin immediate")
        print("locked", flush=True)
        sys.stdin.readline()
        database.execute("rollback")
        """, archive, mode,
      ])
    #expect(try program.readLine() == "locked")
    return program
  }

  private func release(_ program: RunningProgram) throws {
    try program.type("")
    #expect(try program.exitCode() == 0)
  }

  @Test(.enabled(if: installed.contains("python3")))
  func `a program that locks the archive stops no game, and no start for ever`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try RunningServer(["--data", folder])
    let session = try SocketSession(port: server.port)
    try ask(session, "login ann", for: "didLogin")
    var other = try lock()
    let refusal = try ask(session, "register \"correct horse\"", for: "didRegister")
    #expect(refusal.contains(#""code":"unavailable""#) && refusal.contains(#""retry":"#))
    try ask(session, "start bot", for: "gameDidStart")
    try ask(session, "resign", for: "gameDidEnd")
    try server.program.readErrorOutput(until: "archiveLocked")
    try release(other)
    try server.program.readErrorOutput(until: "archiveAvailable")
    let answer = try ask(session, "register \"correct horse\"", for: "didRegister")
    #expect(answer.contains("didRegister"))
    #expect(try ask(session, "history", for: "history").contains(#""resigned""#))
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)

    other = try lock("pragma locking_mode = exclusive")
    let arguments = ["--host", "127.0.0.1", "--port", "0", "--data", folder]
    for signal in [SIGTERM, nil] {
      let program = try RunningProgram(product: "tictactoe-server", arguments)
      try program.readErrorOutput(until: "Another program holds a lock on \(archive).")
      if let signal {
        program.send(signal)
      } else {
        try release(other)
        _ = try program.readLine()
        program.send(SIGTERM)
      }
      #expect(try program.exitCode() == 0)
    }
  }

  @Test func `a server on which nothing happens notices that its archive is gone`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try RunningServer(["--data", folder])
    try FileManager.default.moveItem(atPath: archive, toPath: archive + ".away")
    #expect(
      try server.program.readErrorOutput(until: "dataMissing").contains(archive) == true)
    let session = try SocketSession(port: server.port)
    try ask(session, "login ann", for: "didLogin")
    let refusal = try ask(session, "register \"correct horse\"", for: "didRegister")
    #expect(refusal.contains(#""code":"unavailable""#))
    try ask(session, "start bot", for: "gameDidStart")
    try FileManager.default.moveItem(atPath: archive + ".away", toPath: archive)
    try server.program.readErrorOutput(until: "archiveAvailable")
    let answer = try ask(session, "register \"correct horse\"", for: "didRegister")
    #expect(answer.contains("didRegister"))
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
  }
}
