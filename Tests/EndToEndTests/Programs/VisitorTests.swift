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
  private static let installed = readers.keys.sorted().filter { name in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

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
}
