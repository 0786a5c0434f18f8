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

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: Project.folder.path + path)
  }
}
