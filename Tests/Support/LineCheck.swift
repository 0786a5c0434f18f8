import Shared

/// Whether what a server writes is what it may write.
package enum LineCheck {
  /// Every byte up to the last LF is of a line of JSON with its type in front; answers the first
  /// line that is not.
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
