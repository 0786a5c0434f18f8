/// Values and fields of JSON.
extension LineWriter {
  @inline(__always)
  mutating func put(_ truth: Bool) {
    if truth { put("true") } else { put("false") }
  }

  // Fields. A field without a value is omitted.

  @inline(__always)
  package mutating func put(_ name: StaticString, _ string: String?) {
    guard let string else { return }
    put(field: name)
    put(quoted: string)
  }

  @inline(__always)
  mutating func put(_ name: StaticString, plain string: String?) {
    guard let string else { return }
    put(field: name)
    put(plain: string)
  }

  @inline(__always)
  package mutating func put(_ name: StaticString, _ number: Int?) {
    guard let number else { return }
    put(field: name)
    put(number)
  }

  @inline(__always)
  package mutating func put(_ name: StaticString, _ truth: Bool) {
    put(field: name)
    put(truth)
  }
}

/// A time that many lines contain, kept as the digits of its milliseconds, so that it is written
/// with one instruction.
package struct EncodedTime: Equatable, Sendable {
  /// The digits, the first one in the lowest byte; the milliseconds if there are more than 8
  /// digits.
  let bits: UInt64
  /// The number of digits; 0 if there are more than 8.
  let shortCount: UInt8

  package init(_ time: Duration) {
    let digits = String(time.milliseconds).utf8
    let isShort = digits.count <= 8
    bits =
      isShort
      ? digits.reversed().reduce(0) { $0 << 8 | UInt64($1) }
      : UInt64(clamping: time.milliseconds)
    shortCount = isShort ? UInt8(digits.count) : 0
  }
}

/// A name that many lines contain, such as the id of a match, kept as JSON: quoted and escaped. A
/// short name is kept as one number, so that it is written with one instruction.
package struct QuotedName: Equatable, Sendable, ExpressibleByStringLiteral {
  package let text: String
  /// The quoted name, its first byte in the lowest one, and its length in bytes. Both are 0 if it
  /// is longer than 8 bytes.
  let shortBytes: UInt64
  let shortCount: Int

  package init(_ text: String) {
    self.text = text
    var (bytes, count) = (UInt64(0), 0)
    LineWriter.withLine({ $0.put(quoted: text) }) { quoted in
      guard quoted.count <= 8 else { return }
      count = quoted.count
      for index in quoted.indices { bytes |= UInt64(quoted[index]) << UInt64(8 * index) }
    }
    shortBytes = bytes
    shortCount = count
  }

  package init(stringLiteral text: String) {
    self.init(text)
  }
}
