/// A name that a line is searched for. Its first 8 bytes are at hand as one number, so that nearly
/// every comparison is one of numbers.
struct JSONName: ExpressibleByStringLiteral, Sendable {
  /// These two are looked for in every line, so they are made once.
  static let type: JSONName = "type"
  static let id: JSONName = "id"

  let text: String
  let count: Int
  let head: UInt64

  init(_ text: String) {
    self.text = text
    count = text.utf8.count
    var head: UInt64 = 0
    var shift: UInt64 = 0
    for byte in text.utf8 where shift < 64 {
      head |= UInt64(byte) << shift
      shift += 8
    }
    self.head = head
  }

  init(stringLiteral text: String) {
    self.init(text)
  }
}
