import Foundation
import Testing

/// Compares the pages of the tutorial with its programs.
@Suite struct PageTests {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/tutorial")

  /// The pages of the chapters that have programs, with those programs.
  private static func program(of chapter: Int) -> any TutorialProgram {
    switch chapter {
    case 1: Program1()
    case 2: Program2()
    default: Program3()
    }
  }

  @Test(arguments: [1, 2, 3])
  func `a session in a page is what the program writes`(chapter: Int) throws {
    let sessions = try Self.blocks(of: "session", in: chapter)
    try #require(!sessions.isEmpty)
    for session in sessions {
      let program = Self.program(of: chapter)
      var lines = program.start()
      for line in session where line.hasPrefix("> ") || line == ">" {
        lines += [line] + program.type(String(line.dropFirst(2)))
      }
      #expect(lines == session)
    }
  }

  /// A chapter names the files that are new in its program and those that it has changed.
  @Test(arguments: [2, 3, 4])
  func `the files that a page names are those that differ`(chapter: Int) throws {
    let old = try Self.files(of: chapter - 1)
    let new = try Self.files(of: chapter)
    let page = try Self.page(chapter)
    let changed = new.filter { old[$0.key] != nil && old[$0.key] != $0.value }.map(\.key)
    #expect(Self.paths(inColumn: 2, of: page) == changed.sorted())
    let added = new.keys.filter { old[$0] == nil }
    #expect(Self.paths(inColumn: 3, of: page) == added.sorted())
  }

  /// What a reader of these chapters changes in the real programs. `Tests/Templates/run` compiles it.
  @Test(arguments: [4, 5, 6, 7])
  func `the change that a page asks for fits the code`(chapter: Int) throws {
    let patch = Self.folder.appending(path: "try/\(chapter).patch")
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "apply", "--check", patch.path]
    git.currentDirectoryURL = Self.folder.appending(path: "../..")
    try git.run()
    git.waitUntilExit()
    #expect(git.terminationStatus == 0)
    #expect(try Self.page(chapter).contains("docs/tutorial/try/\(chapter).patch"))
    let lines = try String(contentsOf: patch, encoding: .utf8).split(separator: "\n")
    let added = lines.filter { $0.hasPrefix("+") && !$0.hasPrefix("+++") }.map { $0.dropFirst() }
    for block in try Self.blocks(of: "try", in: chapter) {
      #expect(added.map(String.init) == block)
    }
  }

  /// The paths below the folder of a program, with their texts.
  private static func files(of chapter: Int) throws -> [String: String] {
    let top = folder.appending(path: "Tutorial\(chapter)")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: top.path)
      .filter { $0.hasSuffix(".swift") }
    return try Dictionary(
      uniqueKeysWithValues: paths.map {
        ($0, try String(contentsOf: top.appending(path: $0), encoding: .utf8))
      })
  }

  private static func page(_ chapter: Int) throws -> String {
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(pages.first { $0.hasPrefix("\(chapter)-") })
    return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  /// The paths of the table of folders in a page: the files in its second column, which have
  /// changed, or in its third, which are new.
  private static func paths(inColumn column: Int, of page: String) -> [String] {
    let table = page.split(separator: "\n").drop { $0 != "| folder | changed | new |" }
    return table.dropFirst(2).prefix { $0.hasPrefix("|") }.flatMap { row in
      let cells = row.split(separator: "|", omittingEmptySubsequences: false)
      let folder = cells[1].contains("`") ? cells[1].filter { $0 != "`" && $0 != " " } + "/" : ""
      return cells[column].matches(of: /`([^`]+)`/).map { folder + $0.output.1 }
    }
    .sorted()
  }

  /// The lines of each fenced block below the comment `<!-- KIND -->`.
  private static func blocks(of kind: String, in chapter: Int) throws -> [[String]] {
    let lines = try page(chapter).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { lines[$0] == "<!-- \(kind) -->" }.map { index in
      lines.dropFirst(index + 2).prefix { $0 != "```" }.map(String.init)
    }
  }
}
