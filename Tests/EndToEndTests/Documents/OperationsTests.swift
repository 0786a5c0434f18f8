import Foundation
import Testing

/// The guide for operators is complete.
@Suite struct OperationsTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `the operations guide explains every line of the log`() throws {
    let guide = try String(
      contentsOf: Self.project.appendingPathComponent("docs/operations.md"), encoding: .utf8)
    let events = try Self.serverSources().flatMap { source in
      source.matches(of: /\.write\(\s*[^"\[{]*\.(?:warning|info|debug|trace),[^"\[]*"([A-Za-z]+)"/)
        .map { String($0.1) }
    }
    try #require(Set(events).isSuperset(of: ["listening", "connected", "diskHasRoom", "moved"]))
    for event in events { #expect(guide.contains("`\(event)`"), "\(event) is not explained") }
  }

  private static func serverSources() throws -> [String] {
    let folder = project.appendingPathComponent("Sources/Server")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }
}
