import Shared

/// Checks the form of a server's output.
package enum LineCheck {
  /// Returns the first line that is not a JSON event with its `type` first, or that has a control
  /// character; `nil` if all lines are right.
  package static func firstBadLine(in bytes: [UInt8]) -> String? {
    var decoder = EventDecoder()
    for line in bytes.split(separator: 0x0A) {
      let begins = line.starts(with: #"{"type":""#.utf8)
      let hasControl = line.contains { $0 < 0x20 || $0 == 0x7F }
      guard begins, !hasControl, (try? decoder.decode(Array(line).span)) != nil else {
        return String(decoding: line, as: UTF8.self)
      }
    }
    return nil
  }
}
