import Foundation
import Shared

/// A configuration file that cannot be used. The message is a sentence that begins with the file
/// and the line.
struct ConfigurationError: Error, Equatable {
  let message: String
}

/// The client's configuration file, with one option in a line: `name = ann`. A line may be blank.
/// A comment begins with `#`, at the beginning of a line or after white space.
struct ConfigurationFile {
  let path: String

  /// The file of this user; `nil` if the environment names no folder.
  init?(in environment: [String: String]) {
    guard let folder = UserFolder.configuration.path(in: environment) else { return nil }
    path = folder + "/config"
  }

  init(path: String) {
    self.path = path
  }

  /// Returns the settings in the file; none if there is no file.
  ///
  /// - Throws: if the file cannot be read, or at the first line that is not valid.
  func read() throws(ConfigurationError) -> [OptionSetting] {
    try settings(in: contents() ?? Data())
  }

  /// Parses the contents of a file.
  ///
  /// - Throws: at the first line that is not valid.
  func settings(in contents: Data) throws(ConfigurationError) -> [OptionSetting] {
    var settings: [OptionSetting] = []
    let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      do throws(UsageError) {
        let added = try Self.settings(inLine: line)
        try OptionSetting.check(added, with: settings)
        settings += added
      } catch {
        throw ConfigurationError(message: "\(path), line \(index + 1): \(error.message)")
      }
    }
    return settings
  }

  /// Returns the settings of one line; none for a blank line or a comment.
  private static func settings(inLine bytes: Data) throws(UsageError) -> [OptionSetting] {
    guard let text = String(data: bytes, encoding: .utf8) else {
      throw UsageError("The line is not valid UTF-8.")
    }
    let line = text.withoutComment.trimmed
    guard !line.isEmpty else { return [] }
    guard let equals = line.firstIndex(of: "=") else {
      throw UsageError("“\(line)” has no “=”. Write, for example: name = ann")
    }
    let name = String(line[..<equals]).trimmed
    guard let option = ClientOption(rawValue: name) else {
      if ["help", "version"].contains(name) {
        throw UsageError("\(name) works only on the command line.")
      }
      let names = ClientOption.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("There is no option “\(name)”. The options are: \(names).")
    }
    return try option.settings(
      for: String(line[line.index(after: equals)...]).trimmed, named: name)
  }

  /// Returns the bytes of the file; `nil` if there is no file.
  private func contents() throws(ConfigurationError) -> Data? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if [ENOENT, ENOTDIR].contains(errno) { return nil }
      throw unreadable(String(cString: strerror(errno)))
    }
    // A FIFO would block until it has a writer.
    guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("it is not a regular file") }
    do {
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw unreadable(StandardOutput.reason(of: error))
    }
  }

  private func unreadable(_ reason: String) -> ConfigurationError {
    ConfigurationError(message: "\(path) cannot be read: \(reason).")
  }
}

extension String {
  /// The text before a `#` that is the first character or follows white space.
  fileprivate var withoutComment: String {
    var previous: Character = " "
    for index in indices {
      if self[index] == "#", previous.isWhitespace { return String(self[..<index]) }
      previous = self[index]
    }
    return self
  }
}
