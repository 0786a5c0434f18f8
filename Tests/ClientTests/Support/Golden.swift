import Foundation
import Testing

@testable import Client

/// Expects a picture to be the one that is kept.
func expectGolden(
  _ frame: Frame, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  guard let mismatch = try Golden.mismatch(with: frame, name) else { return }
  Issue.record("\(mismatch)", sourceLocation: sourceLocation)
}

enum Golden {
  static var isUpdating: Bool { ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" }

  /// Compares a picture with the one that is kept in `Tests/ClientTests/Golden/NAME.ans`, which a
  /// terminal shows by `cat`; `nil` where they are the same. Where they differ, the picture is
  /// written into `.build/golden`; with `UPDATE_GOLDEN=1` it is kept instead. The cursor is not part
  /// of it.
  static func mismatch(with frame: Frame, _ name: String) throws -> String? {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let kept = tests.appendingPathComponent("Golden/\(name).ans")
    let actual = frame.ansi
    if isUpdating { try save(actual, to: kept) }
    let expected = try? String(contentsOf: kept, encoding: .utf8)
    guard actual != expected else { return nil }
    let package = tests.deletingLastPathComponent().deletingLastPathComponent()
    let written = package.appendingPathComponent(".build/golden/\(name).ans")
    try save(actual, to: written)
    let mismatch =
      expected == nil ? "There is no golden “\(name)” yet" : "“\(name)” looks different"
    return """
      \(mismatch); what is drawn now stands in \(written.path):
      \(frame.lines.joined(separator: "\n"))
      """
  }

  private static func save(_ text: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}

extension Frame {
  /// A line for each row, of all its columns, with escape sequences for the looks.
  var ansi: String {
    (0..<size.rows).reduce(into: "") { text, row in
      var pen = Style.plain
      for column in 0..<size.columns {
        let cell = self[row, column]
        guard let character = cell.character else { continue }
        if cell.style != pen { text += cell.style.escapeSequence }
        pen = cell.style
        text.append(character)
      }
      text += pen == .plain ? "\n" : "\(Style.plain.escapeSequence)\n"
    }
  }
}
