import Foundation
import Shared
import Testing

@testable import Client
@testable import Server

/// The files that are made from the options of both programs, and from the table of keys. `make generated` writes them again.
@Suite struct GeneratedFileTests {
  private static let docs = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs")

  private static let paths =
    ["options.md", "tictactoe-server.conf", "man/tictactoe-client.1"]
    + ["client", "server"].flatMap {
      ["tictactoe-\($0).bash", "_tictactoe-\($0)", "tictactoe-\($0).fish"].map {
        "completions/\($0)"
      }
    }

  @Test(arguments: paths)
  func `a generated file is what the programs make of it`(path: String) throws {
    let file = Self.docs.appendingPathComponent(path)
    let old = try String(contentsOf: file, encoding: .utf8)
    let new = try Self.text(of: path, after: old)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data(new.utf8).write(to: file)
    } else {
      #expect(old == new, "docs/\(path) is out of date. Type: make generated")
    }
  }

  /// `old` is the text of the file, whose beginning may be handwritten.
  private static func text(of path: String, after old: String) throws -> String {
    switch path {
    case "options.md": return page
    case "man/tictactoe-client.1":
      let page = docs.appendingPathComponent("playing.md")
      return try KeyList.updated(old, from: String(contentsOf: page, encoding: .utf8))
    case "tictactoe-server.conf": return try start(of: old, to: "\n\n") + SampleConfiguration.text
    default:
      let completion = path.contains("client") ? CompletionFile.client : .server
      if path.hasSuffix(".fish") { return completion.fish }
      guard path.hasSuffix(".bash") else { return completion.zsh }
      return try start(of: old, to: CompletionFile.mark) + completion.bash
    }
  }

  /// The handwritten beginning of a file, up to a mark and with it.
  private static func start(of text: String, to mark: String) throws -> Substring {
    text[..<(try #require(text.range(of: mark)).upperBound)]
  }

  private static var page: String {
    var text = """
      # Options

      What `--help` prints, for both programs and for each command of the server. The manual pages,
      `man tictactoe-server` and `man tictactoe-client`, say more about each option. [All exit
      codes](#exit-codes) stand at the end. A test compares this page with the programs.

      """
    text += section("tictactoe-client", ClientOptions.help)
    text += section("tictactoe-server", ServerOptions.help)
    for tool in Tool.allCases { text += section("tictactoe-server \(tool.rawValue)", tool.help) }
    return text + exitCodes
  }

  private static var exitCodes: String {
    let codes = ExitCode.allCases.sorted { $0.rawValue < $1.rawValue }.map {
      "| \($0.rawValue) | \($0.serverMeaning ?? "") | \($0.clientMeaning ?? "") |\n"
    }
    return """

      ## Exit codes

      | code | `tictactoe-server` and its commands | `tictactoe-client` |
      |---|---|---|
      \(codes.joined())
      """
  }

  private static func section(_ program: String, _ help: String) -> String {
    "\n## \(program)\n\n```\n\(help.hasSuffix("\n") ? help : help + "\n")```\n"
  }
}
