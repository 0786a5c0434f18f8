/// A value in a line of JSON. `JSONReader` keeps the nodes of a line in one array: an object is
/// followed by its keys, each a `string` and followed by its value, and an array by its elements.
enum JSONNode: Equatable {
  case null
  case bool(Bool)
  /// A number without fraction or exponent, from −(2^53 − 1) to 2^53 − 1.
  case integer(Int)
  /// Any other number.
  case number
  case string(JSONText)
  /// `end` is the index of the first node after the object.
  case object(end: Int)
  case array(end: Int)
}

/// The location of a string's unescaped characters in the bytes of the reader.
struct JSONText: Equatable {
  let start: Int32
  let count: Int32
  /// The first 8 bytes, as `JSONName` packs them.
  let head: UInt64

  var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// The name of a field. Its first 8 bytes are kept as one number, so that nearly every comparison
/// compares two numbers.
package struct JSONName: ExpressibleByStringLiteral, Sendable {
  /// Made once, because every line is searched for these two.
  static let type: JSONName = "type"
  static let id: JSONName = "id"

  package let text: String
  let count: Int
  let head: UInt64

  package init(_ text: String) {
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

  package init(stringLiteral text: String) {
    self.init(text)
  }
}
