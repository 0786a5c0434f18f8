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
