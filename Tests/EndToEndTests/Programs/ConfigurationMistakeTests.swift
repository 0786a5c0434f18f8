import Foundation
import Shared
import Testing

/// The real server with mistakes in its configuration, and what it writes then.
@Suite(.serialized) struct ConfigurationMistakeTests {
  private let folder = NSTemporaryDirectory() + "tictactoe-\(UUID().uuidString)"
  private var file: String { "\(folder)/c" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
  }

  /// Starts a server as a service manager does that keeps a folder for it.
  private func start(_ arguments: [String] = []) throws -> RunningProgram {
    try RunningProgram(
      product: "tictactoe-server",
      ["--host", "127.0.0.1", "--port", "0", "--data", "\(folder)/data", "--config", file]
        + arguments, environment: ["STATE_DIRECTORY": folder])
  }

  private func admin(_ words: String...) throws -> (code: Int32, output: String, errors: String) {
    let tool = try RunningProgram(
      product: "tictactoe-server",
      ["admin"] + words + ["--config", file], environment: ["STATE_DIRECTORY": folder])
    let code = try tool.exitCode()
    return (code, try tool.readToEnd(), try tool.errorOutput())
  }

  @Test func `a server starts with its last good configuration, and says so`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("turn = 1m\nadmin = \(folder)/s\ntrun = 2m")
    #expect(try start().exitCode() == 78)
    try write("turn = 1m\nadmin = \(folder)/s")
    let first = try start()
    _ = try first.readLine()
    first.send(SIGINT)
    #expect(try first.exitCode() == 0)
    try write("turn = x\nadmin = \(folder)/s")
    let second = try start()
    let port = try #require(
      try second.readLine().firstMatch(of: /port ([0-9]+)/).map { String($0.1) })
    #expect(try SocketSession(port: port).readLine()?.contains(#""turn":60000"#) == true)
    let status = try admin("status")
    #expect(status.code == 0)
    #expect(status.output.contains("the last good one, because of a mistake: \(file), line 1"))
    // The tool has found the socket in a good line.
    #expect(status.errors.contains("\(file), line 1: turn takes a time"))
    #expect(try admin("reload").code == 1)
    try write("turn = 2m\nadmin = \(folder)/s")
    #expect(try admin("reload").code == 0)
    #expect(try SocketSession(port: port).readLine()?.contains(#""turn":120000"#) == true)
    #expect(try admin("status").output.contains("as in the files"))
    second.send(SIGINT)
    #expect(try second.exitCode() == 0)
    let log = try second.errorOutput()
    #expect(log.contains("warning lastGoodConfiguration: The configuration has a mistake"))
    #expect(log.contains(#/admin uid=\d+ pid=\d+ command=reload refused=unavailable/#))
    #expect(log.contains(#/admin uid=\d+ pid=\d+ command=status\n/#))
    // A folder that cannot be used is a mistake too.
    try write("turn = 2m\nadmin = /dev/null/s")
    let third = try start()
    _ = try third.readLine()
    third.send(SIGINT)
    #expect(try third.exitCode() == 0)
    #expect(try third.errorOutput().contains("there is no folder /dev/null"))
  }

  @Test func `with JSON, everything is JSON`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try write("log-format = json\n")
    let good = try start()
    let greeting = try good.readLine()
    good.send(SIGTERM)
    #expect(try good.exitCode() == 0)
    try write("log-format = json\nturn = x\n")
    try? FileManager.default.removeItem(atPath: "\(folder)/last-good.conf")
    let wrong = try start()
    #expect(try wrong.exitCode() == 78)
    let usage = try start(["--log-format=json", "--nonsense"])
    #expect(try usage.exitCode() == 64)
    let unknown = try start(["--config=none", "--log-format", "json", "--host", "no.invalid"])
    #expect(try unknown.exitCode() == 68)
    let texts = try [
      greeting, good.readToEnd(), good.errorOutput(), wrong.errorOutput(), usage.errorOutput(),
      unknown.errorOutput(),
    ]
    for text in texts {
      for line in text.split(separator: "\n") {
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["event"] is String, "\(line)")
      }
    }
    #expect(texts[3].contains(#""level":"error""#))
  }
}
