import Foundation
import Shared
import Testing

/// docs/PROTOCOL.md lists the codes that the programs have.
@Suite struct ProtocolPageTests {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("docs/PROTOCOL.md")

  @Test func `the table of error codes has every code once, in the order of the protocol`() throws {
    let table = try section("| code | meaning |", to: "\n\n")
    let cells = table.split(separator: "\n").dropFirst(2)
      .compactMap { $0.split(separator: "|").first }
    let codes = cells.filter { !$0.contains("with `field`") }
      .flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } }
    #expect(codes == ErrorCode.allCases.map(\.rawValue))
  }

  @Test func `the table of commands has every command with its fields`() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let usages = try DocumentTable.rows(after: "| type | fields, in the order of words |", in: text)
      .map { row in
        let fields = DocumentTable.code(in: row[1]).map { field in
          field.hasSuffix("?") ? "[\(field.dropLast().uppercased())]" : field.uppercased()
        }
        return (DocumentTable.code(in: row[0]) + fields).joined(separator: " ")
      }
    #expect(usages == CommandType.allCases.map(\.help.usage))
  }

  @Test func `no case of a rate stands in its table twice`() throws {
    let rows = try section("| `tooFast` | the case |", to: "\n\n").split(separator: "\n").dropFirst(
      2)
    let cases = rows.compactMap { $0.split(separator: "|").first }
    try #require(cases.count >= 8)
    #expect(Set(cases).count == cases.count)
  }

  /// A client that reads too slowly is reset instead.
  @Test func `the page lists every code of bye that is sent`() throws {
    let sentence = try section("The `bye` codes that this version sends are", to: ". ")
    let codes = sentence.matches(of: /`(\w+)`/).map { String($0.1) }.filter { $0 != "bye" }
    #expect(codes == ByeCode.allCases.filter { $0 != .tooSlow }.map(\.rawValue))
  }

  private func section(_ start: String, to end: String) throws -> Substring {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let first = try #require(text.range(of: start))
    let last = try #require(text.range(of: end, range: first.upperBound..<text.endIndex))
    return text[first.lowerBound..<last.lowerBound]
  }
}
