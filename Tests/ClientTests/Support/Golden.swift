import Foundation
import Testing

@testable import Client

/// Expects a frame to match its golden file.
func expectGolden(
  _ frame: Frame, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  guard let mismatch = try Golden.mismatch(with: frame, name) else { return }
  Issue.record("\(mismatch)", sourceLocation: sourceLocation)
}

enum Golden {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let folder = tests.appendingPathComponent("Golden")

  /// The texts of all golden files.
  static var all: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }
  }

  static var isUpdating: Bool { ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" }

  /// Compares a frame with `Tests/ClientTests/Golden/NAME.ans`, which `cat` shows on a terminal.
  /// Returns `nil` if they are equal. Otherwise it writes the frame to `.build/golden`, or, with
  /// `UPDATE_GOLDEN=1`, to the golden file. The cursor is not compared.
  static func mismatch(with frame: Frame, _ name: String) throws -> String? {
    try mismatch(of: frame.ansi, with: "\(name).ans", shown: frame)
  }

  /// Compares a text with a file of `Tests/ClientTests/Golden`, as for a frame.
  static func mismatch(of actual: String, with name: String, shown frame: Frame) throws -> String? {
    let goldenFile = folder.appendingPathComponent(name)
    if isUpdating { try save(actual, to: goldenFile) }
    let expected = try? String(contentsOf: goldenFile, encoding: .utf8)
    guard actual != expected else { return nil }
    let package = tests.deletingLastPathComponent().deletingLastPathComponent()
    let actualFile = package.appendingPathComponent(".build/golden/\(name)")
    try save(actual, to: actualFile)
    let mismatch =
      expected == nil ? "There is no golden file “\(name)” yet" : "“\(name)” looks different"
    return """
      \(mismatch); the actual frame is in \(actualFile.path):
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
  /// One line for each row, with escape sequences for the styles.
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
