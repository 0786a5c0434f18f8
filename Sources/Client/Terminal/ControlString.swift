/// The bytes of a control string of a terminal so far, without their content.
struct ControlString {
  /// Whether the string begins as those do that terminals send as replies.
  let isReply: Bool
  private(set) var last: UInt8 = 0
  private var count = 0
  /// How many bytes may still belong to the current UTF-8 character.
  private var continuations = 0

  /// The maximum length in bytes.
  static let maxLength = 65_536

  init(isReply: Bool) {
    self.isReply = isReply
  }

  /// Whether this byte is the 8-bit ST, as a byte of its own or in UTF-8.
  func isEnd(_ byte: UInt8) -> Bool { byte == 0x9C && (continuations == 0 || last == 0xC2) }

  /// Returns `nil` if the string is too long.
  func appending(_ byte: UInt8) -> ControlString? {
    guard count < Self.maxLength else { return nil }
    var string = self
    string.count += 1
    string.last = byte
    string.continuations =
      switch byte {
      case 0x80..<0xC0: max(0, continuations - 1)
      case 0xC2..<0xE0: 1
      case 0xE0..<0xF0: 2
      case 0xF0..<0xF5: 3
      default: 0
      }
    return string
  }
}
