/// Turns the bytes of a terminal into keys. The bytes may arrive in any pieces. Unknown sequences
/// are ignored.
struct KeyParser {
  /// The sequence that the next byte belongs to.
  private enum State {
    case ground
    /// After ESC.
    case escape
    /// After ESC [, with the bytes since, up to the longest known sequence.
    case controlSequence([UInt8])
    /// After ESC O.
    case singleShift
    /// Within a UTF-8 character of `length` bytes.
    case character([UInt8], length: Int)
    /// Within bytes to ignore, with the number of those that remain.
    case ignored(Int)
  }

  private var state = State.ground
  /// Whether the bytes are between the marks of bracketed paste.
  private var isPasting = false
  private var keys: [Key] = []

  private static let maxSequenceLength = 32

  /// Whether an ESC was the last byte. It is the Escape key, unless more bytes follow soon.
  var isPending: Bool {
    if case .escape = state { true } else { false }
  }

  /// Returns the keys that these bytes complete.
  mutating func parse(_ bytes: Span<UInt8>) -> [Key] {
    keys = []
    for index in bytes.indices { take(bytes[index]) }
    return keys
  }

  /// Returns the Escape key for a pending ESC, because nothing has followed it for a while.
  mutating func flush() -> [Key] {
    guard isPending else { return [] }
    state = .ground
    // Also ends a paste whose end mark was lost.
    isPasting = false
    return [.escape]
  }

  private mutating func take(_ byte: UInt8) {
    let state = state
    self.state = .ground
    switch state {
    case .ground: begin(with: byte)
    case .escape: takeAfterEscape(byte)
    case .controlSequence(let bytes): takeInSequence(bytes, byte)
    case .singleShift: takeAfterShift(byte)
    case .character(let bytes, let length): takeInCharacter(bytes, byte, length)
    case .ignored(let count): if count > 1 { self.state = .ignored(count - 1) }
    }
  }

  private mutating func begin(with byte: UInt8) {
    switch byte {
    case 0x1B: state = .escape
    case 0x09: add(.tab)
    case 0x0A, 0x0D: add(.enter)
    case 0x08, 0x7F: add(.backspace)
    case 0x00..<0x20: add(.control(Character(Unicode.Scalar(byte | 0x40)).lowercasedLetter))
    case 0x20..<0x7F: add(.character(Character(Unicode.Scalar(byte))))
    case 0xC2..<0xE0: state = .character([byte], length: 2)
    case 0xE0..<0xF0: state = .character([byte], length: 3)
    case 0xF0..<0xF5: state = .character([byte], length: 4)
    default: break
    }
  }

  private mutating func takeAfterEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "["): state = .controlSequence([])
    case UInt8(ascii: "O"): state = .singleShift
    default:
      add(.escape)
      begin(with: byte)
    }
  }

  private mutating func takeInSequence(_ bytes: [UInt8], _ byte: UInt8) {
    switch byte {
    case 0x20..<0x40:
      state = .controlSequence(bytes.count < Self.maxSequenceLength ? bytes + [byte] : bytes)
    // The Linux console's function keys, and a mouse report in the old format.
    case UInt8(ascii: "[") where bytes.isEmpty: state = .ignored(1)
    case UInt8(ascii: "M") where bytes.isEmpty: state = .ignored(3)
    case 0x40..<0x7F: endSequence(bytes, byte)
    default: begin(with: byte)
    }
  }

  private mutating func takeAfterShift(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "M"): add(.enter)
    case 0x20..<0x7F: if let key = Self.namedKeys[byte] { add(key) }
    default: begin(with: byte)
    }
  }

  private mutating func takeInCharacter(_ bytes: [UInt8], _ byte: UInt8, _ length: Int) {
    guard 0x80..<0xC0 ~= byte else { return begin(with: byte) }
    let bytes = bytes + [byte]
    guard bytes.count == length else { return state = .character(bytes, length: length) }
    guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first,
      scalar.properties.generalCategory != .control
    else { return }
    add(.character(Character(scalar)))
  }

  /// Keys by the last byte of their sequence.
  private static let namedKeys: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    UInt8(ascii: "Z"): .backTab,
  ]

  /// Keys by the number in their sequence.
  private static let numberedKeys: [Int: Key] = [
    1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]

  private mutating func endSequence(_ bytes: [UInt8], _ last: UInt8) {
    let isMouse = bytes.first == UInt8(ascii: "<")
    let text = String(decoding: isMouse ? bytes.dropFirst() : bytes[...], as: UTF8.self)
    let numbers = text.split(separator: ";").map { Int($0) }
    switch last {
    case UInt8(ascii: "M") where isMouse: addMouse(numbers)
    case UInt8(ascii: "~"):
      guard let number = numbers.first ?? nil else { return }
      switch number {
      case 200: isPasting = true
      case 201: isPasting = false
      default: if let key = Self.numberedKeys[number] { add(key) }
      }
    default: if !isMouse, let key = Self.namedKeys[last] { add(key) }
    }
  }

  private mutating func addMouse(_ numbers: [Int?]) {
    guard numbers.count == 3, let button = numbers[0], let x = numbers[1], let y = numbers[2],
      x > 0, y > 0
    else { return }
    switch button {
    case 0: add(.press(Position(row: y - 1, column: x - 1)))
    case 64: add(.scrollUp)
    case 65: add(.scrollDown)
    default: break
    }
  }

  /// Pasted input counts as text only, on one line.
  private mutating func add(_ key: Key) {
    guard isPasting else { return keys.append(key) }
    switch key {
    case .character(let character): keys.append(.pasted(character))
    case .enter, .tab: keys.append(.pasted(" "))
    default: break
    }
  }
}

extension Character {
  /// The letter of a control character, which has no upper case.
  fileprivate var lowercasedLetter: Character { lowercased().first ?? self }
}

/// A key or a mouse action.
enum Key: Equatable {
  /// A printable character, including the space.
  case character(Character)
  /// A character of pasted text. It is text for a text field, and never a command.
  case pasted(Character)
  /// Ctrl with a letter, in lower case.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
  /// A press of the left mouse button on a cell.
  case press(Position)
  case scrollUp, scrollDown
}
