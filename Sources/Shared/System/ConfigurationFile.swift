package import Foundation

/// A configuration file that cannot be used. The message is a sentence that begins with the file
/// and the line.
package struct ConfigurationError: Error, Equatable, Sendable {
  package let message: String

  package init(message: String) { self.message = message }
}

/// A configuration file, with one option in a line: `name = ann`. A line may be blank. A comment
/// begins with `#`, at the beginning of a line or after white space. A value may stand between
/// quotation marks, which keep its `#` and the spaces at its ends.
package struct ConfigurationFile: Equatable, Sendable {
  package let path: String
  /// A line that is right, for the error of a line that is not.
  private let example: String

  package init(path: String, example: String) {
    self.path = path
    self.example = example
  }

  /// Calls `body` with the key and the value of each line, and its number, from 1. Only the keys in
  /// `repeatable` may stand in several lines.
  ///
  /// - Returns: an error for each line that is not valid, or for which `body` has thrown.
  package func forEachLine(
    of contents: Data, repeatable: Set<String> = [],
    _ body: (_ key: String, _ value: String, _ line: Int) throws(UsageError) -> Void
  ) -> [ConfigurationError] {
    var errors: [ConfigurationError] = []
    var lineOfKey: [String: Int] = [:]
    let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      do throws(UsageError) {
        guard let (key, value) = try pair(in: line) else { continue }
        if !repeatable.contains(key), let first = lineOfKey.updateValue(index + 1, forKey: key) {
          throw UsageError("\(key) stands in line \(first) too. Remove one of the two lines.")
        }
        try body(key, value, index + 1)
      } catch {
        errors.append(
          ConfigurationError(message: "\(path), line \(index + 1): \(error.message)"))
      }
    }
    return errors
  }

  /// Returns the key and the value of a line; `nil` for a blank line or a comment.
  private func pair(in bytes: Data) throws(UsageError) -> (key: String, value: String)? {
    guard let text = String(data: bytes, encoding: .utf8) else {
      throw UsageError("The line is not valid UTF-8.")
    }
    let line = text.withoutComment
    guard !line.trimmed.isEmpty else { return nil }
    guard let equals = line.firstIndex(of: "=") else {
      throw UsageError("“\(line.trimmed)” has no “=”. Write, for example: \(example)")
    }
    let key = String(line[..<equals]).trimmed
    let value = String(line[line.index(after: equals)...]).trimmed
    guard value.first == "\"" else { return (key, value) }
    // The comment may begin in the quoted text.
    let quoted = text[equals...].drop { $0 != "\"" }.dropFirst()
    guard let end = quoted.firstIndex(of: "\"") else {
      throw UsageError("The value of \(key) has no second quotation mark.")
    }
    // With the quotation mark, so that a comment after it begins after white space too.
    let rest = String(quoted[end...]).withoutComment.dropFirst().description.trimmed
    guard rest.isEmpty else {
      throw UsageError(
        "“\(rest)” follows the second quotation mark of the value of \(key). Put the whole value"
          + " between quotation marks, or none of it. A part of a command may stand between"
          + " single ones."
      )
    }
    return (key, String(quoted[..<end]))
  }

  /// Returns the bytes of the file; `nil` if there is no file.
  ///
  /// - Throws: if the file cannot be read.
  package func contents() throws(ConfigurationError) -> Data? {
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
