import Foundation
import Shared
import Testing

@testable import Client
@testable import Server

/// The guide for operators is complete.
@Suite struct OperationsTests {
  private static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `the reference explains every line of the log`() throws {
    let guide = try Self.text(of: "metrics-and-log.md")
    let events = try Self.serverSources().flatMap { source in
      source.matches(of: /\.write\(\s*[^"\[{]*\.(?:warning|info|debug|trace),[^"\[]*"([A-Za-z]+)"/)
        .map { String($0.1) }
    }
    try #require(Set(events).isSuperset(of: ["listening", "connected", "diskHasRoom", "moved"]))
    for event in events { #expect(guide.contains("`\(event)`"), "\(event) is not explained") }
  }

  @Test func `the reference explains no line of the log that there is not`() throws {
    let sources = try Self.serverSources().joined()
    let rows = try Self.table("| event | level |", in: "metrics-and-log.md")
    let events = rows.flatMap { DocumentTable.code(in: $0[0]) }
    try #require(events.count > 40)
    for event in events { #expect(sources.contains("\"\(event)\""), "\(event) is not logged") }
  }

  @Test func `the operations guide says of each option when a reload takes it up`() throws {
    let rows = try Self.table("| key | takes effect |")
    let last = try #require(rows.last)
    let restart = Set(DocumentTable.code(in: last[0]))
    #expect(restart == Set(ServerOption.allCases.filter(\.needsRestart).map(\.rawValue)))
    let others = rows.dropLast().flatMap { DocumentTable.code(in: $0[0]) }.flatMap { key in
      guard key.hasPrefix("…") else { return [key] }
      return ServerOption.allCases.map(\.rawValue).filter { $0.hasSuffix(key.dropFirst()) }
    }
    #expect(
      Set(others) == Set(ServerOption.allCases.filter { !$0.needsRestart }.map(\.rawValue)))
    #expect(Set(others).count == others.count)
  }

  @Test func `the page about browsers explains its metrics`() throws {
    let text = WebFigures().text(openTabs: 0, openConnections: 0)
    let names = text.matches(of: /# TYPE (\w+)/).map { String($0.1) }
    let rows = try Self.table("| metric | what it counts |", in: "web.md")
    #expect(Set(rows.flatMap { DocumentTable.code(in: $0[0]) }) == Set(names))
    let reasons = try #require(rows.last { $0[0].contains("refused") })[1]
    #expect(
      Set(DocumentTable.code(in: reasons).filter { !$0.hasPrefix("--") })
        == Set(WebFigures.Rejection.allCases.map(\.rawValue) + ["reason"]))
  }

  @Test func `the operations guide counts the alerts`() throws {
    let alerts = try Self.text(of: "alerts.yml").matches(of: /\n *- alert:/).count
    try #require(alerts > 0)
    let count = try Regex("\\b\(alerts)\\s+alerts\\b")
    #expect(try Self.text(of: "operations.md").contains(count))
  }

  @Test func `an exit code of which an operator reads is one of the server`() throws {
    let rows = try Self.table("| you see | it is | do |")
    let codes = rows.flatMap { $0[0].matches(of: /exits with ([0-9]+)/).map(\.1) }
    try #require(codes.count >= 3)
    for code in codes {
      let code = ExitCode(rawValue: try #require(Int32(code)))
      #expect(code?.serverMeaning != nil, "\(String(describing: code))")
    }
  }

  @Test func `the operations guide names the files of the data folder`() throws {
    let rows = try Self.table("| file | holds |")
    let names = Set(rows.flatMap { DocumentTable.code(in: $0[0]) })
    let constants = [
      Archive.fileName, BackupMark.name, OperatorFile.name, AdminLocation.fileName,
      ServerConfiguration.lastGoodName, BackupTool.stamp,
    ]
    #expect(names.isSuperset(of: constants))
    // Up to the first number, as in `journal.damaged-1`.
    let sources = try Self.serverSources().joined()
    for name in names {
      let stem = name.prefix { !$0.isNumber }.split(separator: "/").last ?? ""
      #expect(sources.contains(stem), "\(name) is not in the sources")
    }
  }

  private static func text(of page: String) throws -> String {
    try String(contentsOf: project.appendingPathComponent("docs/\(page)"), encoding: .utf8)
  }

  private static func table(
    _ head: String, in page: String = "operations.md"
  ) throws -> [[String]] {
    try DocumentTable.rows(after: head, in: text(of: page))
  }

  private static func serverSources() throws -> [String] {
    let folder = project.appendingPathComponent("Sources/Server")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }
}
