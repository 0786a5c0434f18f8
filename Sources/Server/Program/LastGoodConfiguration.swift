import Foundation
import Shared

/// The configuration with which the server has last started well, in the folder that a service
/// manager keeps for it. A start takes it up while the present configuration has a mistake, so that
/// a slip of the pen does not keep the server down.
struct LastGoodConfiguration {
  static let fileName = ServerConfiguration.lastGoodName

  let path: String

  init(path: String) { self.path = path }

  /// Returns `nil` if no service manager keeps a folder: a person at a terminal reads the mistake.
  init?(in environment: [String: String]) {
    guard let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first else {
      return nil
    }
    path = "\(folder)/\(Self.fileName)"
  }

  /// The settings; `nil` if none were kept, or this version does not understand them.
  var settings: [ServerSetting]? {
    let read = ServerConfigurationFile(path: path).read()
    return read.mistakes.isEmpty ? read.settings : nil
  }

  /// Keeps settings, unless they are kept already.
  ///
  /// - Throws: if they cannot be written. What was kept before is still there.
  func keep(_ settings: [ServerSetting], at time: Date) throws(SystemError) {
    guard self.settings.map(Self.lines) != Self.lines(settings) else { return }
    let time = time.formatted(.iso8601)
    let text =
      "# The configuration with which tictactoe-server has last started well. It was written at\n"
      + "# \(time), and is used only while the present one has a mistake.\n"
      + Self.lines(settings).joined()
    try NewFile.replace(path, with: Array(text.utf8))
  }

  private static func lines(_ settings: [ServerSetting]) -> [String] {
    settings.map { "\($0.option.rawValue) = \(quoted($0.value))\n" }
  }

  /// A value that begins with a quotation mark must not be quoted again.
  private static func quoted(_ value: String) -> String {
    value.contains("\"") ? value : "\"\(value)\""
  }
}
