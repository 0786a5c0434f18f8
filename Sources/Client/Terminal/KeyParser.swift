/// Turns the bytes of a terminal into keys. The bytes may arrive in any pieces. Unknown sequences
/// are ignored, and so are the terminal's replies: control sequences and control strings (ECMA-48).
/// Each of them may be cut off, so it ends by itself after a time; see `deadline`.
///
/// A network may pause anywhere within a reply, also after its ESC, which then counts as the Escape
/// key. So for some time after that key, what looks like the rest of a reply is ignored, too.
struct KeyParser {
  /// The sequence that the next byte belongs to.
  private enum State {
    case ground
    /// After ESC.
    case escape
    /// After an ESC that counted as the Escape key, because nothing followed it at once.
    case lateEscape
    /// After the first byte of a sequence, without its ESC; see `Origin`.
    case introducer(UInt8, Origin)
    /// After ESC [, with the bytes since, up to the longest known sequence.
    case controlSequence([UInt8])
    /// After ESC O.
    case singleShift
    /// Within a UTF-8 character of `length` bytes.
    case character([UInt8], length: Int)
    /// Within the characters of a mouse report to ignore, with the number of those that remain.
    case ignored(Int, last: UInt8)
    case controlString(ControlString)
    /// Within characters that may be typed, or belong to a control string: they are no commands.
    case text
  }

  /// Why a byte may begin a sequence.
  private enum Origin {
    /// It followed an ESC at once, or is an 8-bit control character.
    case control
    /// It followed a late ESC, and may be a key.
    case lateEscape
    /// It is an 8-bit control character, or part of a character in an encoding other than UTF-8.
    case otherEncoding
  }

  private let readsOnlyASCII: Bool
  private var state = State.ground
  /// When the last bytes arrived.
  private var lastInput = Duration.zero
  /// How long before the current byte the one before it arrived.
  private var pause = Duration.zero
  /// How long before the ESC of the current key the byte before it arrived.
  private var sequencePause = Duration.zero
  /// When the sequence began.
  private var sequenceStart = Duration.zero
  /// Whether the bytes are between the marks of bracketed paste. The second mark may be lost: what
  /// only a person sends also ends the paste.
  private var isPasting = false
  private var keys: [Key] = []
  /// Whether the last bytes had characters that are not read, because their encoding is not UTF-8.
  private(set) var hasRefused = false

  private static let maxSequenceLength = 32
  /// How long an ESC waits for the rest of a sequence, before it is the Escape key.
  static let escapeWait = Duration.milliseconds(50)
  /// The longest pause between two bytes of a control string that no terminal sends as a reply: a
  /// person may have begun it with the Alt key. After this pause, control characters end any
  /// control string.
  static let sequenceWait = Duration.milliseconds(250)
  /// The maximum duration of such a string.
  static let maxSequenceTime = Duration.seconds(1)
  /// The longest pause between two bytes of any other sequence.
  static let replyWait = Duration.seconds(5)
  /// The maximum duration of any other sequence: keys that were pressed in quick succession after a
  /// sequence without an end count again then.
  static let maxReplyTime = Duration.seconds(15)

  /// - Parameter readsOnlyASCII: whether other characters cannot be read, because their encoding is
  ///   not UTF-8.
  init(readsOnlyASCII: Bool = false) {
    self.readsOnlyASCII = readsOnlyASCII
  }

  /// When to call `flush`, unless more bytes arrive before; `nil` if the bytes so far are complete.
  var deadline: Duration? {
    switch state {
    case .ground, .character, .lateEscape: nil
    case .escape: lastInput + Self.escapeWait
    case .controlString(let string) where !string.isReply:
      min(lastInput + Self.sequenceWait, sequenceStart + Self.maxSequenceTime)
    case .introducer, .controlSequence, .singleShift, .ignored, .controlString, .text:
      min(lastInput + Self.replyWait, sequenceStart + Self.maxReplyTime)
    }
  }

  /// Returns the keys that these bytes complete. `now` is the time on any clock.
  mutating func parse(_ bytes: Span<UInt8>, at now: Duration = .zero) -> [Key] {
    keys = []
    hasRefused = false
    pause = now - lastInput
    lastInput = now
    // A terminal sends a paste in large pieces.
    let isTyped = pause > Self.sequenceWait && bytes.count == 1 && bytes[0] != 0x1B
    if pause > Self.replyWait || isTyped { isPasting = false }
    for index in bytes.indices {
      take(bytes[index])
      pause = .zero
    }
    return keys
  }

  /// Ends a sequence, because nothing has followed it for a while. Returns the Escape key for a
  /// lone ESC, and a character that only might have begun a reply; nothing for any other sequence.
  mutating func flush() -> [Key] {
    switch state {
    case .ground, .character, .lateEscape: return []
    case .escape:
      // Also ends a paste whose end mark was lost.
      isPasting = false
      state = .lateEscape
      return [.escape]
    case .introducer(let byte, .lateEscape):
      state = .ground
      return [.pasted(Character(Unicode.Scalar(byte)))]
    case .introducer, .controlSequence, .singleShift, .ignored, .controlString, .text:
      state = .ground
      return []
    }
  }

  private mutating func take(_ byte: UInt8) {
    let state = state
    self.state = .ground
    if case .ground = state { sequencePause = byte == 0x1B ? pause : .zero }
    switch state {
    case .ground: begin(with: byte)
    case .escape: takeAfterEscape(byte)
    case .lateEscape: takeAfterLateEscape(byte)
    case .introducer(let first, let origin): takeAfterIntroducer(first, origin, byte)
    case .character(let bytes, let length): takeInCharacter(bytes, byte, length)
    case .controlString(let string): takeInString(string, byte)
    case .text: takeInText(byte)
    case .controlSequence(let bytes): if !isCancel(byte) { takeInSequence(bytes, byte) }
    case .singleShift: if !isCancel(byte) { takeAfterShift(byte) }
    case .ignored(let count, let last): if !isCancel(byte) { ignore(count, last, byte) }
    }
  }

  /// CAN and SUB end any sequence.
  private func isCancel(_ byte: UInt8) -> Bool { byte == 0x18 || byte == 0x1A }

  private mutating func begin(with byte: UInt8) {
    switch byte {
    case 0x1B:
      sequenceStart = lastInput
      state = .escape
    case 0x09: add(.tab)
    case 0x0A, 0x0D: add(.enter)
    case 0x08, 0x7F: add(.backspace)
    case 0x00..<0x20: add(.control(Character(Unicode.Scalar(byte | 0x40)).lowercasedLetter))
    case 0x20..<0x7F: add(.character(Character(Unicode.Scalar(byte))))
    case 0x80..<0xA0: beginSequence(with: byte, readsOnlyASCII ? .otherEncoding : .control)
    case _ where readsOnlyASCII: hasRefused = true
    case 0xC2..<0xE0: state = .character([byte], length: 2)
    case 0xE0..<0xF0: state = .character([byte], length: 3)
    case 0xF0..<0xF5: state = .character([byte], length: 4)
    default: break
    }
  }

  /// Begins the sequence of an 8-bit control character, if it has one.
  private mutating func beginSequence(with control: UInt8, _ origin: Origin) {
    sequenceStart = lastInput
    let byte = control - 0x40
    if let sequence = Self.sequences[byte] {
      state = origin == .control ? sequence : .introducer(byte, origin)
    } else if origin == .otherEncoding {
      hasRefused = true
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

  private mutating func takeAfterLateEscape(_ byte: UInt8) {
    if Self.sequences[byte] == nil || lastInput - sequenceStart > Self.replyWait {
      return begin(with: byte)
    }
    sequenceStart = lastInput
    state =
      byte == UInt8(ascii: "[") ? .controlSequence([]) : .introducer(byte, .lateEscape)
  }

  /// What begins after ESC with each byte, or with the 8-bit control character of that byte.
  private static let sequences: [UInt8: State] = [
    UInt8(ascii: "["): .controlSequence([]), UInt8(ascii: "O"): .singleShift,
    // OSC, DCS, SOS, PM, APC.
    UInt8(ascii: "]"): .introducer(UInt8(ascii: "]"), .control),
    UInt8(ascii: "P"): .introducer(UInt8(ascii: "P"), .control),
    UInt8(ascii: "X"): .introducer(UInt8(ascii: "X"), .control),
    UInt8(ascii: "^"): .introducer(UInt8(ascii: "^"), .control),
    UInt8(ascii: "_"): .introducer(UInt8(ascii: "_"), .control),
  ]

  /// The second byte shows whether this is a sequence that terminals send.
  private mutating func takeAfterIntroducer(_ first: UInt8, _ origin: Origin, _ byte: UInt8) {
    let isSent = Self.isSent(first, byte)
    switch origin {
    case .control: takeInString(ControlString(isReply: isSent), byte)
    case .lateEscape, .otherEncoding:
      if isSent {
        state = Self.sequences[first] ?? .ground
        if case .introducer = state { state = .controlString(ControlString(isReply: true)) }
        take(byte)
      } else if origin == .otherEncoding {
        hasRefused = true
        begin(with: byte)
      } else {
        add(.character(Character(Unicode.Scalar(first))))
        if first == UInt8(ascii: "O") { begin(with: byte) } else { takeInText(byte) }
      }
    }
  }

  /// Whether terminals send sequences that begin with these two bytes after the ESC.
  private static func isSent(_ first: UInt8, _ second: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "["): 0x30..<0x40 ~= second
    case UInt8(ascii: "O"): namedKeys[second] != nil || 0x4D...0x53 ~= second
    // A color or the clipboard by its number, and the titles of the window.
    case UInt8(ascii: "]"): 0x30..<0x3A ~= second || second == 0x6C || second == 0x4C
    case UInt8(ascii: "P"): 0x21..<0x40 ~= second
    // Graphics.
    case UInt8(ascii: "_"): second == UInt8(ascii: "G")
    default: false
    }
  }

  /// BEL, CAN, SUB and ST end a control string. Any other sequence cancels it.
  private mutating func takeInString(_ string: ControlString, _ byte: UInt8) {
    switch (string.last, byte) {
    case (_, 0x07), (_, 0x18), (_, 0x1A): break
    // The ESC may have come twice.
    case (0x1B, let byte) where byte != 0x1B: takeAfterEscape(byte)
    case (_, let byte) where string.isEnd(byte): break
    // A key, because a terminal sends none of them in a reply.
    case (_, 0x00..<0x1B) where pause > Self.sequenceWait,
      (_, 0x7F) where pause > Self.sequenceWait:
      begin(with: byte)
    default: if let string = string.appending(byte) { state = .controlString(string) }
    }
  }

  private mutating func takeInText(_ byte: UInt8) {
    switch byte {
    case 0x07: break
    case 0x20..<0x7F:
      add(.pasted(Character(Unicode.Scalar(byte))))
      state = .text
    default: begin(with: byte)
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
    beginSequence(with: UInt8(scalar.value), .control)
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
    case _ where sequencePause > Self.sequenceWait:
      isPasting = false
      keys.append(key)
    default: break
    }
  }
}

extension Character {
  /// The letter of a control character, which has no upper case.
  fileprivate var lowercasedLetter: Character { lowercased().first ?? self }
}
