import Shared

/// What the engine sends is not RESP2, or is larger than any reply that is asked for. Nothing that
/// follows can be understood, so the connection ends.
struct RedisProtocolError: Error, Equatable {
  /// For people.
  let reason: String
}

/// Parses replies from a stream of bytes, which may end anywhere.
struct RedisReplyParser {
  /// The longest line: a status, an error or a number.
  static let maxLine = 65_536
  /// The longest string of bytes.
  static let maxBulk = 67_108_864
  /// The maximum number of elements of an array.
  static let maxElements = 1_048_576
  /// How deep arrays may be in arrays.
  static let maxDepth = 8

  /// An array whose last elements are missing.
  private struct Level {
    var elements: [RedisReply] = []
    let count: Int
  }

  private var rest: [UInt8] = []
  /// The number of bytes of `rest` that are parsed.
  private var offset = 0
  private var levels: [Level] = []
  /// The length of the string that `rest` has only a part of; `nil` before its length is known.
  private var bulk: Int?
  /// The first byte that may be the end of the line.
  private var searched = 0

  /// Appends bytes that have arrived. Then call `next` until it returns `nil`.
  mutating func append(_ bytes: Span<UInt8>) {
    if offset > 0 {
      rest.removeFirst(offset)
      searched = max(0, searched - offset)
      offset = 0
    }
    bytes.withUnsafeBufferPointer { rest.append(contentsOf: $0) }
  }

  /// Returns the next reply, or `nil` if it is not there as a whole yet.
  mutating func next() throws(RedisProtocolError) -> RedisReply? {
    while var reply = try element() {
      while true {
        guard !levels.isEmpty else { return reply }
        levels[levels.count - 1].elements.append(reply)
        guard let level = levels.last, level.elements.count == level.count else { break }
        levels.removeLast()
        reply = .array(level.elements)
      }
    }
    return nil
  }

  /// Returns the next element of the array that is parsed, or a reply that is none; `nil` if it is
  /// not there as a whole yet.
  private mutating func element() throws(RedisProtocolError) -> RedisReply? {
    while true {
      if let length = bulk { return try string(of: length) }
      guard let line = try line() else { return nil }
      guard !line.isEmpty else { throw RedisProtocolError(reason: "an empty line") }
      let text = line.dropFirst()
      switch rest[line.lowerBound] {
      case UInt8(ascii: "+"): return .status(String(decoding: rest[text], as: UTF8.self))
      case UInt8(ascii: "-"): return .error(String(decoding: rest[text], as: UTF8.self))
      case UInt8(ascii: ":"): return .integer(try number(text, in: Int.min...Int.max))
      case UInt8(ascii: "$"):
        let length = try number(text, in: -1...Self.maxBulk)
        guard length >= 0 else { return .null }
        bulk = length
      case UInt8(ascii: "*"):
        let count = try number(text, in: -1...Self.maxElements)
        guard count >= 0 else { return .null }
        guard count > 0 else { return .array([]) }
        guard levels.count < Self.maxDepth else {
          throw RedisProtocolError(reason: "arrays more than \(Self.maxDepth) deep")
        }
        levels.append(Level(count: count))
      default: throw RedisProtocolError(reason: "a reply of an unknown type")
      }
    }
  }

  private mutating func string(of length: Int) throws(RedisProtocolError) -> RedisReply? {
    guard rest.count - offset >= length + 2 else { return nil }
    let end = offset + length
    guard rest[end] == UInt8(ascii: "\r"), rest[end + 1] == UInt8(ascii: "\n") else {
      throw RedisProtocolError(reason: "a string that does not end where it should")
    }
    let bytes = Array(rest[offset..<end])
    take(upTo: end + 2)
    bulk = nil
    return .bulk(bytes)
  }

  /// Returns where the next line is in `rest`, without its CR LF; `nil` if it is not there as a
  /// whole yet.
  private mutating func line() throws(RedisProtocolError) -> Range<Int>? {
    var index = max(offset, searched)
    while index + 1 < rest.count {
      if rest[index] == UInt8(ascii: "\r"), rest[index + 1] == UInt8(ascii: "\n") {
        let line = offset..<index
        take(upTo: index + 2)
        return line
      }
      index += 1
      guard index - offset <= Self.maxLine else {
        throw RedisProtocolError(reason: "a line of more than \(Self.maxLine) bytes")
      }
    }
    searched = index
    return nil
  }

  private mutating func take(upTo end: Int) {
    offset = end
    searched = end
  }

  /// Only digits, with a minus before them if they are negative. Without a string, because each
  /// entry of a match has such a line.
  private func number(
    _ text: Range<Int>, in range: ClosedRange<Int>
  ) throws(RedisProtocolError) -> Int {
    let isNegative = !text.isEmpty && rest[text.lowerBound] == UInt8(ascii: "-")
    let digits = isNegative ? text.dropFirst() : text
    // Below zero, because there is one more number.
    var number = 0
    var isValid = !digits.isEmpty
    for index in digits {
      let digit = Int(rest[index]) - 48
      let (tens, isLarge) = number.multipliedReportingOverflow(by: 10)
      let (next, isLarger) = tens.subtractingReportingOverflow(digit)
      isValid = isValid && (0...9).contains(digit) && !isLarge && !isLarger
      number = next
    }
    if !isNegative {
      isValid = isValid && number > Int.min
      number = 0 &- number
    }
    guard isValid, range.contains(number) else {
      throw RedisProtocolError(reason: "a wrong number")
    }
    return number
  }
}
