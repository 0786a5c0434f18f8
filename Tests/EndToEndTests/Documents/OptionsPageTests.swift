import Foundation
import Testing

@testable import Client
@testable import Server

/// docs/options.md is made from the help of both programs. To write it again:
/// `UPDATE_GOLDEN=1 swift test --filter OptionsPageTests`.
@Suite struct OptionsPageTests {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs/options.md")

  @Test func `the page of options is what the programs print`() throws {
    let text = Self.text
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: Self.page)
    }
    let isSame = try text == String(contentsOf: Self.page, encoding: .utf8)
    #expect(isSame, "Run: UPDATE_GOLDEN=1 swift test --filter OptionsPageTests")
  }

  private static var text: String {
    var text = """
      # Options

      What `--help` prints, for both programs and for each command of the server. The manual pages,
      `man tictactoe-server` and `man tictactoe-client`, say more about each option and exit code.
      A test compares this page with the programs.

      """
    text += section("tictactoe-client", ClientOptions.help)
    text += section("tictactoe-server", ServerOptions.help)
    for tool in Tool.allCases { text += section("tictactoe-server \(tool.rawValue)", tool.help) }
    return text
  }

  private static func section(_ program: String, _ help: String) -> String {
    "\n## \(program)\n\n```\n\(help.hasSuffix("\n") ? help : help + "\n")```\n"
  }
}
