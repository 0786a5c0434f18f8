/// The numbers of RFC 8259.
enum JSONNumber {
  /// Reads the number at a position and moves the position behind it. Returns `.integer`, or
  /// `.number` if it has a fraction or an exponent or is too large; `nil` if there is no number.
  static func read(_ bytes: Span<UInt8>, at position: inout Int) -> JSONNode? {
    let isNegative = isNext(UInt8(ascii: "-"), bytes, position)
    if isNegative { position += 1 }
    var isInteger = true
    let first = position
    var size = 0
    while position < bytes.count, let digit = digit(bytes[position]) {
      if size <= ProtocolLimits.maxInteger { size = size * 10 + digit }
      position += 1
    }
    guard position > first, bytes[first] != UInt8(ascii: "0") || position == first + 1 else {
      return nil
    }
    if isNext(UInt8(ascii: "."), bytes, position) {
      isInteger = false
      position += 1
      guard skipDigits(bytes, &position) else { return nil }
    }
    if isNext(UInt8(ascii: "e"), bytes, position) || isNext(UInt8(ascii: "E"), bytes, position) {
      isInteger = false
      position += 1
      if isNext(UInt8(ascii: "+"), bytes, position) || isNext(UInt8(ascii: "-"), bytes, position) {
        position += 1
      }
      guard skipDigits(bytes, &position) else { return nil }
    }
    guard isInteger, size <= ProtocolLimits.maxInteger else { return .number }
    return .integer(isNegative ? -size : size)
  }

  /// Skips digits. Returns false if there is none.
  private static func skipDigits(_ bytes: Span<UInt8>, _ position: inout Int) -> Bool {
    let first = position
    while position < bytes.count, digit(bytes[position]) != nil { position += 1 }
    return position > first
  }

  private static func isNext(_ byte: UInt8, _ bytes: Span<UInt8>, _ position: Int) -> Bool {
    position < bytes.count && bytes[position] == byte
  }

  private static func digit(_ byte: UInt8) -> Int? {
    let value = byte &- UInt8(ascii: "0")
    return value < 10 ? Int(value) : nil
  }
}
