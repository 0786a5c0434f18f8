/// A name that stands in line after line, such as a match's, as JSON has it: in its quotes, escaped
/// where needed. A short one is at hand as one number, so that to write it is one move.
package struct QuotedName: Equatable, Sendable, ExpressibleByStringLiteral {
  package let text: String
  /// The bytes in quotes, the first in the lowest one, and how many; 0 where they are too many.
  let bytes: UInt64
  let count: Int

  package init(_ text: String) {
    self.text = text
    var (bytes, count) = (UInt64(0), 0)
    LineWriter.withLine({ $0.put(quoted: text) }) { quoted in
      guard quoted.count <= 8 else { return }
      count = quoted.count
      for index in quoted.indices { bytes |= UInt64(quoted[index]) << UInt64(8 * index) }
    }
    self.bytes = bytes
    self.count = count
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }
}
