import Foundation

/// A configuration folder with a file for the client. It is deleted when this object goes.
final class ConfigurationFolder {
  let file: URL
  private let folder: URL

  init(_ text: String) throws {
    folder = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("tictactoe-\(UUID().uuidString)")
    let parent = folder.appendingPathComponent("tictactoe")
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    file = parent.appendingPathComponent("config")
    try Data(text.utf8).write(to: file)
  }

  deinit {
    // If this fails, a small file stays in the temporary folder.
    try? FileManager.default.removeItem(at: folder)
  }

  /// The variables with which a program reads the file.
  var environment: [String: String] { ["XDG_CONFIG_HOME": folder.path] }
}
