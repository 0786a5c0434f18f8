import Foundation
import Testing

/// The real server on a port of the loopback.
final class RunningServer {
  let program: RunningProgram
  let port: String

  /// On a free port, unless one is named; unless told otherwise it does not wait for games when it
  /// is stopped.
  init(_ arguments: [String] = [], port: String = "0") throws {
    program = try RunningProgram(
      product: "tictactoe-server",
      ["--host", "127.0.0.1", "--port", port, "--drain", "0"] + arguments)
    self.port = try Self.port(of: program)
  }

  /// With as many descriptors as that, and no more.
  convenience init(descriptors: Int) throws {
    try self.init(ulimit: "-n \(descriptors)", ["--log-level", "warning"])
  }

  /// Under a limit of the shell's; `log` is a file that its log goes to.
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
    return try #require(line.split(separator: " ").last.map(String.init))
  }

  func client(_ arguments: [String] = []) throws -> RunningProgram {
    try RunningProgram(product: "tictactoe-client", ["127.0.0.1", "--port", port] + arguments)
  }
}
