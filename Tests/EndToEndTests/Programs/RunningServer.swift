import Foundation
import Testing

/// The real server on a loopback port.
final class RunningServer {
  let program: RunningProgram
  let port: String

  /// Starts a server. Port 0 is any free port. By default it does not drain when it stops, and
  /// keeps no data. A node of a cluster has no data of its own.
  init(_ arguments: [String] = [], port: String = "0") throws {
    let saysWhere = arguments.contains("--data") || arguments.contains("--cluster")
    program = try RunningProgram(
      product: "tictactoe-server",
      ["--host", "127.0.0.1", "--port", port, "--drain", "0"]
        + (saysWhere ? [] : ["--data", "none"]) + arguments)
    self.port = try Self.port(of: program)
  }

  /// Starts a server that may open only this many descriptors.
  convenience init(descriptors: Int) throws {
    try self.init(ulimit: "-n \(descriptors)", ["--log-level", "warning"])
  }

  /// Starts a server under a `ulimit` of the shell. `log` is the file of its log.
  init(ulimit: String, _ arguments: [String], log: String = "/dev/stderr") throws {
    program = try RunningProgram(
      URL(fileURLWithPath: "/bin/sh"),
      [
        "-c", "ulimit \(ulimit) && exec \"$0\" \"$@\" 2>'\(log)'",
        RunningProgram.product("tictactoe-server").path, "--host", "127.0.0.1", "--port", "0",
        "--drain", "0",
      ] + arguments)
    port = try Self.port(of: program)
  }

  private static func port(of program: RunningProgram) throws -> String {
    let line = try program.readLine()
    // With `--log-format json` the line is an object.
    return try #require(line.firstMatch(of: /port(?: |":)([0-9]+)/).map { String($0.1) })
  }

  func client(_ arguments: [String] = []) throws -> RunningProgram {
    try RunningProgram(product: "tictactoe-client", ["127.0.0.1", "--port", port] + arguments)
  }
}
