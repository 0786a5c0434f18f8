/// The same for a piece of a line, or a whole one, whose room is known beforehand: there is one look
/// at the array for all that the piece holds. A piece that is too large for its room is a programmer
/// error.
extension OutputSpan<UInt8> {
  /// Most bytes of an integer.
  static var longestNumber: Int { 20 }

  /// Bytes enough for `{"type":""` around the name of a type.
  static var typeRoom: Int { 12 }

  /// Bytes of `,"name":`.
  static func room(ofField name: StaticString) -> Int { name.utf8CodeUnitCount + 4 }

  /// Bytes enough for a string in quotes, whatever of it has to be escaped.
  static func room(of string: String) -> Int { 6 * string.utf8.count + 2 }

  // Inlined, because a copy whose length is known is a few moves.
  @inline(__always)
  mutating func append(json text: StaticString) {
    precondition(text.utf8CodeUnitCount <= freeCapacity, "a piece of a line fits into its room")
    withUnsafeMutableBufferPointer { buffer, count in
      guard let start = buffer.baseAddress else { return }
      (start + count).initialize(from: text.utf8Start, count: text.utf8CodeUnitCount)
      count += text.utf8CodeUnitCount
    }
  }

  mutating func append(_ mark: Mark) {
    append(UInt8(ascii: "\""))
    append(mark.rawValue)
    append(UInt8(ascii: "\""))
  }

  mutating func append(decimal number: Int) {
    let size = number.magnitude
    if number < 0 { append(UInt8(ascii: "-")) }
    // Rows and columns are nearly always of one digit.
    guard size >= 10 else { return append(UInt8(ascii: "0") + UInt8(size)) }
    var digits = 2
    var next: UInt = 100
    while digits < 19, size >= next {
      digits += 1
      next *= 10
    }
    precondition(digits <= freeCapacity, "a piece of a line fits into its room")
    withUnsafeMutableBufferPointer { buffer, count in
      count &+= digits
      var place = count
      var rest = size
      while rest > 0 {
        place &-= 1
        buffer[place] = UInt8(ascii: "0") | UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
  }

  mutating func append(_ truth: Bool) {
    append(json: truth ? "true" : "false")
  }

  /// Appends a JSON string: characters as they are, but for those that JSON must have escaped and
  /// the control characters (Cc), which could be an escape sequence to a terminal.
  mutating func append(quoted string: String) {
    var string = string
    string.withUTF8 { utf8 in
      append(UInt8(ascii: "\""))
      let plain = append(plainBeginOf: utf8)
      if plain < utf8.count {
        append(escapedWhereNeeded: UnsafeBufferPointer(rebasing: utf8[plain...]))
      }
      append(UInt8(ascii: "\""))
    }
  }

  /// Appends what needs no escape, nearly always all of it, and answers how many bytes that is.
  @inline(__always)
  private mutating func append(plainBeginOf utf8: UnsafeBufferPointer<UInt8>) -> Int {
    precondition(utf8.count <= freeCapacity, "a piece of a line fits into its room")
    return withUnsafeMutableBufferPointer { buffer, count in
      var plain = 0
      while plain < utf8.count, Self.isPlain(utf8[plain]) {
        buffer[count &+ plain] = utf8[plain]
        plain &+= 1
      }
      count &+= plain
      return plain
    }
  }

  /// Appends the name of a type, which is plain.
  mutating func append(type: String) {
    append(json: "{\"type\":\"")
    var type = type
    type.withUTF8 { append(copyOf: $0) }
    append(UInt8(ascii: "\""))
  }

  /// Appends bytes as they are.
  @inline(__always)
  mutating func append(copyOf bytes: UnsafeBufferPointer<UInt8>) {
    precondition(bytes.count <= freeCapacity, "a piece of a line fits into its room")
    withUnsafeMutableBufferPointer { buffer, count in
      _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).initialize(fromContentsOf: bytes)
      count += bytes.count
    }
  }

  /// ASCII that no string need escape: nearly all that stands in one.
  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    byte &- 0x20 < 0x5F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func append(escapedWhereNeeded utf8: UnsafeBufferPointer<UInt8>) {
    var last: UInt8 = 0
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case ..<0x20, 0x7F:
        append(escaped: byte)
      case 0x80...0x9F where last == 0xC2:
        // C2 80 to C2 9F are U+0080 to U+009F; the C2 is there already.
        _ = removeLast()
        append(escaped: byte)
      default:
        append(byte)
      }
      last = byte
    }
  }

  /// Appends `\u00XX`.
  private mutating func append(escaped byte: UInt8) {
    append(json: "\\u00")
    append(Self.hexDigit(UInt32(byte) >> 4))
    append(Self.hexDigit(UInt32(byte)))
  }

  private static func hexDigit(_ number: UInt32) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: number & 0xF)
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}

extension OutputSpan<UInt8> {
  /// Appends `,"name":`, to which the value is appended next.
  @inline(__always)
  mutating func append(field name: StaticString) {
    append(json: ",\"")
    append(json: name)
    append(json: "\":")
  }

  @inline(__always)
  mutating func append(_ name: StaticString, _ string: String?) {
    guard let string else { return }
    append(field: name)
    append(quoted: string)
  }

  @inline(__always)
  mutating func append(_ name: StaticString, _ number: Int?) {
    guard let number else { return }
    append(field: name)
    append(decimal: number)
  }

  /// Appends a time in milliseconds.
  @inline(__always)
  mutating func append(_ name: StaticString, _ time: Duration?) {
    append(name, time?.milliseconds)
  }

  @inline(__always)
  mutating func append(_ name: StaticString, _ mark: Mark?) {
    guard let mark else { return }
    append(field: name)
    append(mark)
  }

  /// Appends `re`.
  @inline(__always)
  mutating func append(_ name: StaticString, _ id: RequestID?) {
    switch id {
    case .integer(let integer): append(name, integer)
    case .text(let text): append(name, text)
    case nil: break
    }
  }
}
