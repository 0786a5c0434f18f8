/// A value in a line of JSON, one place in the row that `JSONReader` makes of it: after an object
/// come its keys, each a `string` and followed by its value, after an array its elements.
enum JSONNode: Equatable {
  case null
  case bool(Bool)
  /// Without fraction or exponent and at most 2^53 − 1 in size.
  case integer(Int)
  /// Any other number.
  case number
  case string(JSONText)
  /// `end` is the index of the first node that is not in the object.
  case object(end: Int)
  case array(end: Int)
}

/// Where the characters of a string stand, unescaped, in the bytes of the reader.
struct JSONText: Equatable {
  let start: Int32
  let count: Int32
  /// The first 8 bytes, as `JSONName` packs them.
  let head: UInt64

  var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

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
