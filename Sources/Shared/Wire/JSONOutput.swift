/// What lines are written with: each appends, and allocates nothing but room in the array.
extension [UInt8] {
  /// Appends text that stands in this program.
  mutating func append(json text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }

  mutating func append(_ mark: Mark) {
    append(UInt8(ascii: "\""))
    append(mark.rawValue)
    append(UInt8(ascii: "\""))
  }

  mutating func append(_ truth: Bool) {
    append(json: truth ? "true" : "false")
  }

  mutating func append(_ number: Int) {
    let size = number.magnitude
    if number < 0 { append(UInt8(ascii: "-")) }
    var power: UInt = 1
    while size / power >= 10 { power *= 10 }
    while power > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: size / power % 10))
      power /= 10
    }
  }

  /// Appends 8 lower-case hexadecimal digits.
  mutating func append(hex number: UInt32) {
    for shift in stride(from: 28, through: 0, by: -4) {
      append(Self.hexDigit(number >> UInt32(shift)))
    }
  }

  /// Appends a JSON string: characters as they are, but for those that JSON must have escaped and
  /// the control characters (Cc), which could be an escape sequence to a terminal.
  mutating func append(quoted string: String) {
    append(UInt8(ascii: "\""))
    var last: UInt8 = 0
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case ..<0x20, 0x7F:
        append(escaped: byte)
      case 0x80...0x9F where last == 0xC2:
        // C2 80 to C2 9F are U+0080 to U+009F; the C2 is there already.
        removeLast()
        append(escaped: byte)
      default:
        append(byte)
      }
      last = byte
    }
    append(UInt8(ascii: "\""))
  }

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

extension [UInt8] {
  /// Appends `,"name":`, to which the value is appended next.
  mutating func append(field name: StaticString) {
    append(json: ",\"")
    append(json: name)
    append(json: "\":")
  }

  mutating func append(_ name: StaticString, _ string: String?) {
    guard let string else { return }
    append(field: name)
    append(quoted: string)
  }

  mutating func append(_ name: StaticString, _ number: Int?) {
    guard let number else { return }
    append(field: name)
    append(number)
  }

  mutating func append(_ name: StaticString, _ mark: Mark?) {
    guard let mark else { return }
    append(field: name)
    append(mark)
  }

  /// Appends `re` or `id`.
  mutating func append(_ name: StaticString, _ id: RequestID?) {
    switch id {
    case .integer(let integer): append(name, integer)
    case .text(let text): append(name, text)
    case nil: break
    }
  }
}
