import Shared
import Testing

@testable import Server

@Suite struct ToolOptionsTests {
  /// `config` reads its own, and those of the server.
  @Test(arguments: Tool.allCases.filter { $0 != .config })
  func `a tool reads every option of its help, and no other`(tool: Tool) throws {
    for row in tool.options {
      let arguments = ["--\(row.name)"] + (row.value == nil ? [] : ["1"]) + ["--help"]
      do {
        #expect(try ToolOptions(tool, arguments, environment: [:]) == nil)
      } catch let error as UsageError {
        // Of a value that it does not take.
        #expect(error.message.hasPrefix("--\(row.name)"), "\(error.message)")
      }
    }
    for other in ["--nothing", "--port", tool == .admin ? "--keep" : "--json"] {
      let error = UsageError("tictactoe-server \(tool.rawValue) has no option \(other).")
      #expect(throws: error) { try ToolOptions(tool, [other, "1"], environment: [:]) }
    }
  }
}
