import Foundation
import Testing

/// Compares what the documents name with what is there.
@Suite struct DocumentTests {
  /// The documents that describe the project of today. The changelog and the decisions also name
  /// what is gone.
  private static func documents() throws -> [String] {
    let top = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
    let docs = try Project.files(in: "docs").filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
    return top + docs.filter { $0 != "docs/decisions.md" }
  }

  @Test func `a link leads to a file that is there`() throws {
    for document in try Self.documents() {
      let folder = URL(filePath: "/" + document).deletingLastPathComponent()
      for link in try Project.text(document).matches(of: /\]\((?<target>[^)#\s]+)[^)]*\)/) {
        let target = String(link.target)
        if target.contains(":") { continue }
        let path = folder.appending(path: target).standardized.path
        if !Self.exists(path) {
          Issue.record("\(document) links to \(target), which is not there. Correct the link.")
        }
      }
    }
  }

  @Test func `a path in a document is there`() throws {
    let top = "Sources|Tests|docs|Benchmarks"
    let path = try Regex(
      "`(?<path>(?:\(top))/[A-Za-z0-9_+./-]*)`", as: (Substring, path: Substring).self)
    for document in try Self.documents() {
      for match in try Project.text(document).matches(of: path)
      where !Self.exists("/" + match.output.path) {
        Issue.record(
          "\(document) names \(match.output.path), which is not there. Correct or remove it.")
      }
    }
  }

  @Test func `the first page is short, and so is the one about reliability`() throws {
    let readme = try Project.text("README.md").utf8.count
    #expect((10_000...12_000).contains(readme), "README.md has \(readme) bytes.")
    let words = try Project.text("docs/reliability.md").split(whereSeparator: \.isWhitespace).count
    #expect(words <= 2_000, "docs/reliability.md has \(words) words.")
  }

  /// What is for a few readers only gets a page of its own.
  @Test(arguments: [("operations", 6_000), ("cluster", 6_000), ("performance", 4_000)])
  func `a long guide is split`(page: String, limit: Int) throws {
    let words = try Project.text("docs/\(page).md").split(whereSeparator: \.isWhitespace).count
    #expect(words <= limit, "docs/\(page).md has \(words) words.")
  }

  /// `Tests/Planted/run` puts these bugs into a copy of the code.
  @Test func `each planted bug fits the code`() throws {
    let patches = try Project.files(in: "Tests/Planted").filter { $0.hasSuffix(".patch") }
    try #require(patches.count >= 10)
    for patch in patches {
      let git = Process()
      git.executableURL = URL(filePath: "/usr/bin/env")
      git.arguments = ["git", "apply", "--check", "Tests/Planted/\(patch)"]
      git.currentDirectoryURL = Project.folder
      try git.run()
      git.waitUntilExit()
      #expect(git.terminationStatus == 0, "Tests/Planted/\(patch) does not apply. Write it again.")
    }
  }

  /// A section that stands twice has been changed once.
  @Test func `a document has each heading once`() throws {
    for document in try Self.documents() {
      let headings = try Project.text(document).matches(of: /\n##+ (?<text>[^\n]+)/).map(\.text)
      for (heading, same) in Dictionary(grouping: headings, by: { $0 }) where same.count > 1 {
        Issue.record("\(document) has “\(heading)” \(same.count) times. Keep one.")
      }
    }
  }

  /// A name is that of a type, a unit, an alert or a folder, so it occurs where no document is.
  @Test func `a type and an option that a document names is there`() throws {
    let there = try Self.names()
    // `Name`, `Name.member` or `name(of:)` of a type, and `--option`.
    let pattern = /`(?<name>[A-Z][a-z0-9]+[A-Z]\w*|--[a-z][a-z-]*)[^`]*`/
    for document in try Self.documents() where !Self.namesOtherProjects.contains(document) {
      for match in try Project.text(document).matches(of: pattern)
      where !there.contains(match.name) {
        Issue.record("\(document) names \(match.name), which is not there. Correct or remove it.")
      }
    }
  }

  /// Documents with names of RIBs-iOS and RxSwift, and of settings of sshd and systemd.
  private static let namesOtherProjects: Set<String> = [
    "docs/for-ribs-developers.md", "docs/playing-over-ssh.md",
  ]

  /// The words and options in all files that are not documents, and the names of all files and folders.
  private static func names() throws -> Set<Substring> {
    var names: Set<Substring> = []
    for folder in ["Sources", "Tests", "Benchmarks", "docs", ".ci"] {
      for file in try Project.files(in: folder) {
        names.formUnion(file.split { "/.".contains($0) })
        guard !file.hasSuffix(".md"), let text = try? Project.text("\(folder)/\(file)") else {
          continue
        }
        names.formUnion(text.matches(of: /--[a-z][a-z-]*|[A-Za-z_]\w+/).map(\.output))
      }
    }
    let package = try Project.text("Package.swift") + Project.text("Makefile")
    names.formUnion(package.matches(of: /--[a-z][a-z-]*|[A-Za-z_]\w+/).map(\.output))
    return names
  }

  @Test func `the container for development has every package that the gates install`() throws {
    let container = Set(
      try Project.text(".devcontainer/Dockerfile").split(whereSeparator: \.isWhitespace))
    let gates = try Project.text(".ci/run").replacing("\\\n", with: " ")
    let single = gates.matches(of: /(?:missing|services)\+?=\(([a-z][a-z0-9-]*)\)/).map(\.1)
    let several = gates.matches(of: /apt-get install((?: +-\S+)*)(?<names>(?: +[a-z][a-z0-9-]*)+)/)
    let packages = single + several.flatMap { $0.names.split(separator: " ") }
    try #require(packages.contains("chromium") && packages.contains("python3-yaml"))
    for package in packages where !container.contains(package) {
      Issue.record(".ci/run installs \(package). Add it to .devcontainer/Dockerfile.")
    }
  }

  @Test func `each kind of gate has a job`() throws {
    let gates = try Project.text(".ci/run")
    let kinds = try #require(gates.firstMatch(of: /\nkinds=\(([^)]+)\)/)).1
    let workflow = try Project.text(".github/workflows/ci.yml")
    let jobs = try #require(workflow.firstMatch(of: /kind: \[([^\]]+)\]/)).1
    func words(_ text: Substring) -> [Substring] { text.split { ", \n".contains($0) } }
    #expect(words(kinds) == words(jobs))
  }

  @Test func `a version that is released has its notes`() throws {
    let source = try Project.text("Sources/Shared/System/Version.swift")
    let version = try #require(source.firstMatch(of: /current = "([^"]+)"/)?.1)
    guard !version.hasSuffix("-dev") else { return }
    #expect(try Project.text("CHANGELOG.md").contains("\n## \(version)"))
    #expect(Self.exists("/docs/releases/\(version).md"))
  }

  @Test func `the figures of today are those that the gates compare with`() throws {
    let page = try Project.text("docs/performance.md")
    let section = try #require(page.components(separatedBy: "\n## Today\n\n").last)
    let paragraph = try #require(section.components(separatedBy: "\n\n").first)
    let figures = paragraph.matches(of: /\b[0-9][0-9,]*\b/).map {
      String($0.0).replacing(",", with: "")
    }
    var recorded: [Substring: Substring] = [:]
    for file in ["instructions", "bytes"] {
      for line in try Project.text("Benchmarks/\(file).txt").split(separator: "\n") {
        let words = line.split(separator: " ")
        recorded[words[0]] = words[1]
      }
    }
    let names: [Substring] = [
      "bareMove", "move", "bareGame", "game", "connection", "session", "match",
    ]
    #expect(figures == names.map { recorded[$0].map(String.init) ?? "" })
    #expect(recorded["allocations"] == "0" && recorded["bareAllocations"] == "0")
  }

  @Test func `the map of the tests has all their folders`() throws {
    let map = try Project.text("CONTRIBUTING.md")
    for folder in Set(try Project.files(in: "Tests").compactMap { $0.split(separator: "/").first })
    where folder != "record" {
      if try map.contains(Regex("\n\\|[^|]*`\(folder)`[^|]*\\|")) { continue }
      Issue.record("CONTRIBUTING.md has no row for Tests/\(folder) in its map of the tests.")
    }
  }

  /// The page repeats figures, because an operator plans with them.
  @Test func `the capacity of a server is that of the measured tables`() throws {
    let capacity = try Project.text("docs/capacity.md")
    let performance = try Project.text("docs/performance.md")
    let rows = performance.split(separator: "\n").filter { $0.hasPrefix("|") }.map {
      $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    func measured(_ connections: String, _ durability: String, column: Int) throws -> String {
      try #require(rows.first { $0.starts(with: [connections, durability]) })[column]
    }
    for durability in ["process", "power"] {
      let both = try ["1,000", "10,000"].map { try measured($0, durability, column: 2) }
      let cell = "\(both[0]) and \(both[1])"
      #expect(capacity.contains("\(durability)` | \(cell) |\n"), "\(durability): \(cell)")
    }
    let time = try measured("10,000", "process", column: 4)
    #expect(capacity.contains("10,000 connections, `process` | \(time) µs |\n"))
  }

  /// What two documents say, one of them will soon say differently. The manual pages are not compared
  /// with one another, because each is also installed without the other.
  @Test func `no 14 words in a row stand in two documents`() throws {
    let manuals = ["docs/man/tictactoe-server.1", "docs/man/tictactoe-client.1"]
    let documents = try Self.documents().filter { $0 != "docs/options.md" }
    var places: [String: String] = [:]
    for document in manuals + documents + ["docs/decisions.md"] {
      let words = Self.words(of: try Project.text(document))
      var last = -14
      for start in words.indices.dropLast(13) {
        let run = words[start..<start + 14].joined(separator: " ")
        let other = places[run] ?? document
        if other == document {
          places[run] = document
        } else if !(manuals.contains(document) && manuals.contains(other)) {
          if start > last + 1 {
            Issue.record("\(document) and \(other) both say “\(run)”. Keep one, and link to it.")
          }
          last = start
        }
      }
    }
  }

  /// The words of a text, without blocks of code, the targets of links, the macros of mdoc, and what is
  /// made from another document.
  private static func words(of text: String) -> [String] {
    let made = /(?s)\n\.\\" What follows, up to the next comment.*?\n\.\\"/
    return text.replacing(/(?s)```.*?```/, with: "").replacing(made, with: "\n")
      .replacing(/\]\([^)]*\)/, with: "]")
      .replacing(/\n\.[A-Z][a-z]\b/, with: "\n").lowercased()
      .split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "'" && $0 != "’" }
      .map(String.init)
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: Project.folder.path + path)
  }
}
