import Shared

@testable import Server

/// The part of docs/tictactoe-server.conf after its introduction: a comment and a line for each
/// option.
enum SampleConfiguration {
  static var text: String {
    ServerOption.Section.allCases.map { section in
      section.options.map(lines).joined()
    }.joined(separator: "\n")
  }

  private static func lines(_ option: ServerOption) -> String {
    let row = option.row
    let about =
      switch row.option.standard {
      case nil: "\(row.option.about) (default: none)\(row.option.note)"
      // The line shows a default that can be written.
      case row.standardValue: row.option.about + row.option.note
      default: row.option.text
      }
    let sentences =
      "\(about.prefix(1).uppercased())\(about.dropFirst())."
      + (row.more.map { " \($0)" } ?? "") + (row.needsRestart ? " (restart)" : "")
    let value = row.standardValue ?? row.sample ?? ""
    return sentences.wrapped("# ", next: "# ") + "#\(option.rawValue) = \(value)\n"
  }
}
