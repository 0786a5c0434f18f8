/// A reply of the engine, in version 2 of its wire protocol (RESP2).
enum RedisReply: Equatable {
  /// A simple string such as `OK`.
  case status(String)
  /// An error, with its code as the first word: `ERR no such key`.
  case error(String)
  case integer(Int)
  /// A string of bytes.
  case bulk([UInt8])
  /// No such key or element.
  case null
  case array([RedisReply])

  /// The text of a string; `nil` for another reply, or if it is not UTF-8.
  var text: String? {
    switch self {
    case .status(let text): text
    case .bulk(let bytes): String(validating: bytes, as: UTF8.self)
    case .error, .integer, .null, .array: nil
    }
  }

  /// The elements of an array; `nil` for another reply.
  var elements: [RedisReply]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The number of an integer, or of a string with one; `nil` for another reply.
  var number: Int? {
    if case .integer(let number) = self { return number }
    return text.flatMap { Int($0) }
  }

  /// The values by name in an array of names and values, one after the other; `nil` for another
  /// reply.
  var fields: [String: String]? {
    guard let words = elements?.map({ $0.text ?? "" }), words.count % 2 == 0 else { return nil }
    var fields: [String: String] = [:]
    for index in stride(from: 0, to: words.count, by: 2) { fields[words[index]] = words[index + 1] }
    return fields
  }

  var isError: Bool {
    if case .error = self { return true }
    return false
  }
}

extension String {
  /// Returns a field of a reply to `INFO`; `nil` if it is absent.
  func infoField(_ name: String) -> Substring? {
    split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(name):") }?
      .dropFirst(name.utf8.count + 1)
  }
}
