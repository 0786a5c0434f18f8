import Foundation
import Testing

/// The real server where its files may not grow.
@Suite(.serialized) struct FullDiskTests {
  private let folder = NSTemporaryDirectory() + "tictactoe-full-\(UUID().uuidString)"

  @Test func `where no further file fits, running games end and no other begins`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // The first file of 1 MiB fits. The unit is 1 KiB in bash, and 512 bytes elsewhere. The signal
    // SIGXFSZ would end a program that does not ignore it.
    let server = try RunningServer(
      ulimit: "-f 2200", ["--data", folder, "--per-second", "0", "--burst", "0"])
    let ann = try SocketSession(port: server.port)
    try ann.type("login ann\nstart bot")
    try ann.read(until: "gameDidStart")
    let zoe = try SocketSession(port: server.port)
    try zoe.type("login zoe")
    try zoe.read(until: "didLogin")
    var said = 0
    let remark = "say \(String(repeating: "x", count: 200))"
    var isFull = false
    while !isFull {
      // Many at once, because the archive must not reach the limit first.
      try ann.type(Array(repeating: remark, count: 50).joined(separator: "\n"))
      for _ in 0..<50 {
        if try ann.read(until: #""didSay"|"full""#).contains("full") { isFull = true }
        said += 1
      }
      try #require(said < 20_000)
    }
    // Half of the first file is full, at least.
    #expect(said > 1_000)
    for line in ["start", "start bot", "open", "join abcdef"] {
      try zoe.type(line)
      let reply = try zoe.read(until: "type")
      #expect(reply.contains(#""code":"full""#) && reply.contains(#""retry":"#), "\(reply)")
    }
    try ann.type("place 1 1\nresign\nstart")
    try ann.read(until: "gameDidEnd")
    try ann.read(until: #""code":"full""#)
    server.program.send(SIGTERM)
    #expect(try server.program.exitCode() == 0)
    let log = try server.program.errorOutput()
    #expect(log.contains(/diskFull .*free=\d+ .*size=[1-9]/), "\(log)")
  }
}

extension SocketSession {
  /// Returns the next line in which a regular expression matches.
  @discardableResult
  fileprivate func read(until pattern: String) throws -> String {
    let expression = try Regex(pattern)
    while let line = try readLine() {
      if line.contains(expression) { return line }
    }
    throw RunningProgram.TimeoutError(description: "“\(pattern)” did not come.")
  }
}
