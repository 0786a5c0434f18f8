import Shared

/// Divides what a person or a script types into lines.
struct LineReader {
  /// A line that has ended, without its newline.
  enum Line {
    case text(String)
    /// One that cannot be read, and the sentence about it.
    case refused(String)
  }

  /// The maximum length of a line in bytes.
  static let maxLength = 1_024
  /// Some editors write it before the first line of a file in UTF-8.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The beginning of the next line.
  private(set) var beginning: [UInt8] = []
  /// Whether the next line is the rest of a secret whose question was withdrawn. Nobody meant it
  /// for anything else.
  var dropsLine = false
  private let isInteractive: Bool
  private let readsOnlyASCII: Bool
  private var isOverlong = false
  /// Whether a line has ended.
  private var hasRead = false

  /// `isInteractive`: a person types, whose keys may write sequences.
  init(isInteractive: Bool, readsOnlyASCII: Bool) {
    self.isInteractive = isInteractive
    self.readsOnlyASCII = readsOnlyASCII
  }

  /// Returns the lines that end in the bytes.
  mutating func read(_ bytes: Span<UInt8>) -> [Line] {
    var ended: [Line] = []
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\n") {
        ended.append(endLine())
      } else if beginning.count < Self.maxLength {
        beginning.append(bytes[index])
      } else {
        isOverlong = true
      }
    }
    return ended
  }

  /// The input has ended. Returns the line without a newline; `nil` if there is none.
  mutating func end() -> Line? {
    beginning.isEmpty ? nil : endLine()
  }

  /// Forgets the beginning of the next line.
  mutating func forget() {
    (beginning, isOverlong) = ([], false)
  }

  private mutating func endLine() -> Line {
    defer {
      forget()
      (hasRead, dropsLine) = (true, false)
    }
    if dropsLine { return .refused("That line belonged to a password. Type what you want again.") }
    if !hasRead, beginning.starts(with: Self.byteOrderMark) { beginning.removeFirst(3) }
    // Files from other systems end their lines with CR and LF.
    if beginning.last == UInt8(ascii: "\r") { beginning.removeLast() }
    if isOverlong {
      return .refused("That line is too long. A line may have up to \(Self.maxLength) bytes.")
    }
    guard let line = String(validating: beginning, as: UTF8.self),
      !readsOnlyASCII || line.utf8.allSatisfy({ $0 < 0x80 })
    else {
      return .refused(
        readsOnlyASCII ? CharacterRange.refusal : "That line is not valid UTF-8.")
    }
    return .text(isInteractive ? line.withoutKeySequences : line)
  }
}
