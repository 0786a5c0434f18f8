import Foundation
import Testing

/// Reads a table of a document.
enum DocumentTable {
  /// Returns the cells of each row of the table whose first line begins with `head`.
  static func rows(after head: String, in text: String) throws -> [[String]] {
    let start = try #require(text.range(of: "\n\(head)"), "There is no table \(head)")
    let lines = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
    return lines.dropFirst(2).prefix { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { String($0).trimmingCharacters(in: .whitespaces) }
    }
  }

  /// Returns what stands between backticks.
  static func code(in text: String) -> [String] {
    text.matches(of: /`([^`]+)`/).map { String($0.1) }
  }
}
