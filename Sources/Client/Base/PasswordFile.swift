import Foundation
import Shared

/// The file with the password of a script: its first line. The password itself never stands on the
/// command line or in the environment, where other programs could read it.
enum PasswordFile {
  /// The environment variable that names the file.
  static let variable = "TICTACTOE_PASSWORD_FILE"

  /// What a password may be.
  static let rule =
    "A password has \(ProtocolLimits.passwordLength.lowerBound) to"
    + " \(ProtocolLimits.passwordLength.upperBound) characters, none of them a control character."

  /// The bytes that are read, more than the longest password has.
  private static let maxBytes = 4_096

  /// Returns a warning if other users can read the file. It is only a warning, because the files
  /// that containers get their secrets in have such modes.
  static func warning(in environment: [String: String]) -> String? {
    var status = stat()
    guard let path = environment[variable], !path.isEmpty, stat(path, &status) == 0,
      status.st_mode & S_IFMT == S_IFREG, status.st_mode & (S_IRGRP | S_IROTH) != 0
    else { return nil }
    return "Other users can read \(path), which \(variable) names. To prevent that, type:"
      + " chmod 600 \(path)"
  }

  /// Returns the password; `nil` if the environment names no file.
  ///
  /// - Throws: if the file cannot be read, or its first line cannot be a password.
  static func read(in environment: [String: String]) throws(ConfigurationError) -> String? {
    guard let path = environment[variable], !path.isEmpty else { return nil }
    let bytes: Data
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      bytes = try file.read(upToCount: maxBytes) ?? Data()
    } catch {
      throw ConfigurationError(
        message: "\(path), which \(variable) names, cannot be read:"
          + " \(StandardOutput.reason(of: error)).")
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    let text = String(
      data: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, encoding: .utf8)
    guard let text, Command.isPassword(text) else {
      throw ConfigurationError(
        message: "\(path), which \(variable) names, has no password in its first line. \(rule)")
    }
    return text
  }
}
