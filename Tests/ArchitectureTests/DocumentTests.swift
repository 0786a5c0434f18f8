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

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: Project.folder.path + path)
  }
}
