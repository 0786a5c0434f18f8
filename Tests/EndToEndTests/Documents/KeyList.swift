import Foundation
import Testing

/// The list of keys in the manual page of the client, made from the table in docs/playing.md.
enum KeyList {
  private static let start =
    ".\\\" What follows, up to the next comment, is made from docs/playing.md by: make generated\n"
  private static let end = ".\\\" The end of the keys.\n"

  /// Returns the manual page with the list of the table in `page`.
  static func updated(_ manual: String, from page: String) throws -> String {
    let start = try #require(manual.range(of: start))
    let end = try #require(manual.range(of: end))
    return try manual[..<start.upperBound] + list(of: page) + manual[end.lowerBound...]
  }

  private static func list(of page: String) throws -> String {
    var text = ".Bl -tag -width Ds\n"
    for (index, row) in try DocumentTable.rows(after: "| where | key |", in: page).enumerated() {
      if !row[0].isEmpty {
        if index > 0 { text += ".El\n" }
        text += ".It \(row[0])\n.Bl -tag -width \"Ctrl-C, Ctrl-Z\" -compact\n"
      }
      precondition(!row[2].contains("`"), "The list has plain words only: \(row[2])")
      // A number at the beginning would look like an exit code.
      let key = row[1].replacing("`", with: "").replacing(/^[0-9]/) { "\\&\($0.0)" }
      let sentence = row[2].prefix(1).uppercased() + row[2].dropFirst()
      text += ".It \(key)\n\(sentence.hasSuffix(".") ? sentence : "\(sentence).")\n"
    }
    return text + ".El\n.El\n"
  }
}
