/// Turns the bytes of a terminal into keys. The bytes may arrive in any pieces. Unknown sequences
/// are ignored, and so are the terminal's replies: control sequences and control strings (ECMA-48).
/// Each of them may be cut off, so it ends by itself after a time; see `deadline`.
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
    /// Within the characters of a mouse report to ignore, with the number of those that remain.
    case ignored(Int, last: UInt8)
    /// Within a control string, with the number of its bytes and the last one.
    case controlString(Int, last: UInt8)
  }

  private var state = State.ground
  /// When the last bytes arrived.
  private var lastInput = Duration.zero
  /// When the sequence began.
  private var sequenceStart = Duration.zero
  /// Whether the bytes are between the marks of bracketed paste.
  private var isPasting = false
  private var keys: [Key] = []

  private static let maxSequenceLength = 32
  /// The maximum length of a control string in bytes.
  static let maxStringLength = 65_536
  /// How long an ESC waits for the rest of a sequence, before it is the Escape key.
  static let escapeWait = Duration.milliseconds(50)
  /// How long an incomplete sequence waits for its next byte. A terminal sends a sequence at once,
  /// but a network may split it.
  static let sequenceWait = Duration.milliseconds(250)
  /// The maximum duration of a sequence: keys that were pressed in quick succession after a
  /// sequence without an end count again then.
  static let maxSequenceTime = Duration.seconds(1)

  /// When to call `flush`, unless more bytes arrive before; `nil` if the bytes so far are complete.
  var deadline: Duration? {
    switch state {
    case .ground, .character: nil
    case .escape: lastInput + Self.escapeWait
    case .controlSequence, .singleShift, .ignored, .controlString:
      min(lastInput + Self.sequenceWait, sequenceStart + Self.maxSequenceTime)
    }
  }

  /// Returns the keys that these bytes complete. `now` is the time on any clock.
  mutating func parse(_ bytes: Span<UInt8>, at now: Duration = .zero) -> [Key] {
    keys = []
    lastInput = now
    for index in bytes.indices { take(bytes[index]) }
    return keys
  }

  /// Ends a sequence, because nothing has followed it for a while. Returns the Escape key for a
  /// lone ESC; nothing for any other sequence.
  mutating func flush() -> [Key] {
    defer { if deadline != nil { state = .ground } }
    guard case .escape = state else { return [] }
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
    case .character(let bytes, let length): takeInCharacter(bytes, byte, length)
    case .controlString(let count, let last): takeInString(count, last, byte)
    case .controlSequence(let bytes): if !isCancel(byte) { takeInSequence(bytes, byte) }
    case .singleShift: if !isCancel(byte) { takeAfterShift(byte) }
    case .ignored(let count, let last): if !isCancel(byte) { ignore(count, last, byte) }
    }
  }

  /// CAN and SUB end any sequence.
  private func isCancel(_ byte: UInt8) -> Bool { byte == 0x18 || byte == 0x1A }

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
    if let sequence = Self.sequences[byte] {
      sequenceStart = lastInput
      state = sequence
      // The end of a control string that has ended before.
    } else if byte != UInt8(ascii: "\\") {
      add(.escape)
      begin(with: byte)
    }
  }

  /// What begins after ESC with each byte, or with the 8-bit control character of that byte.
  private static let sequences: [UInt8: State] = [
    UInt8(ascii: "["): .controlSequence([]), UInt8(ascii: "O"): .singleShift,
    // OSC, DCS, SOS, PM, APC.
    UInt8(ascii: "]"): .controlString(0, last: 0), UInt8(ascii: "P"): .controlString(0, last: 0),
    UInt8(ascii: "X"): .controlString(0, last: 0), UInt8(ascii: "^"): .controlString(0, last: 0),
    UInt8(ascii: "_"): .controlString(0, last: 0),
  ]

  /// BEL, CAN, SUB and ST end a control string. Any other sequence cancels it.
  private mutating func takeInString(_ count: Int, _ last: UInt8, _ byte: UInt8) {
    switch (last, byte) {
    case (_, 0x07), (0xC2, 0x9C): break
    case _ where isCancel(byte): break
    case (0x1B, _): takeAfterEscape(byte)
    default: if count < Self.maxStringLength { state = .controlString(count + 1, last: byte) }
    }
  }

  private mutating func takeInSequence(_ bytes: [UInt8], _ byte: UInt8) {
    switch byte {
    case 0x20..<0x40:
      state = .controlSequence(bytes.count < Self.maxSequenceLength ? bytes + [byte] : bytes)
    default:
      guard 0x40..<0x7F ~= byte else { return begin(with: byte) }
      if bytes.isEmpty, let count = Self.followers[byte] {
        state = .ignored(count, last: 0)
      } else {
        endSequence(bytes, byte)
      }
    }
  }

  /// The number of characters after sequences of one byte: the Linux console's function keys, and
  /// mouse reports in the old formats (xterm).
  private static let followers: [UInt8: Int] = [
    UInt8(ascii: "["): 1, UInt8(ascii: "M"): 3, UInt8(ascii: "t"): 2, UInt8(ascii: "T"): 6,
  ]

  /// Ignores one character of a mouse report, which is one byte, or two in UTF-8.
  private mutating func ignore(_ count: Int, _ last: UInt8, _ byte: UInt8) {
    if 0xC2..<0xE0 ~= last, 0x80..<0xC0 ~= byte {
      if count > 0 { state = .ignored(count, last: 0) }
    } else if count > 0, byte >= 0x20 {
      // The last character may have a second byte.
      if count > 1 || 0xC2..<0xE0 ~= byte { state = .ignored(count - 1, last: byte) }
    } else {
      begin(with: byte)
    }
  }

  private mutating func takeAfterShift(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "M"): add(.enter)
    // Some terminals put the modifiers here.
    case UInt8(ascii: "0")...UInt8(ascii: ";"): state = .singleShift
    case 0x20..<0x7F: if let key = Self.namedKeys[byte] { add(key) }
    default: begin(with: byte)
    }
  }

  private mutating func takeInCharacter(_ bytes: [UInt8], _ byte: UInt8, _ length: Int) {
    guard 0x80..<0xC0 ~= byte else { return begin(with: byte) }
    let bytes = bytes + [byte]
    guard bytes.count == length else { return state = .character(bytes, length: length) }
    guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else {
      return
    }
    guard scalar.properties.generalCategory == .control else {
      return add(.character(Character(scalar)))
    }
    sequenceStart = lastInput
    state = Self.sequences[UInt8(scalar.value - 0x40)] ?? .ground
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
    // Others are replies, such as ESC [ ? 1 ; 2 c.
    guard isMouse || bytes.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: ";") ~= $0 }) else {
      return
    }
    let text = String(decoding: isMouse ? bytes.dropFirst() : bytes[...], as: UTF8.self)
    let numbers = text.split(separator: ";").map { Int($0) }
    switch last {
    case _ where isMouse: if last == UInt8(ascii: "M") { addMouse(numbers) }
    case UInt8(ascii: "~"):
      guard let number = numbers.first ?? nil else { return }
      switch number {
      case 200: isPasting = true
      case 201: isPasting = false
      default: if let key = Self.numberedKeys[number] { add(key) }
      }
    default: if let key = Self.namedKeys[last] { add(key) }
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
