import Shared

/// One line of text with a cursor, edited by keys: a pure value. The login form and the chat use
/// it.
struct TextField: Equatable {
  var text: String { didSet { cursor = min(cursor, text.count) } }
  /// The number of characters before the cursor.
  private(set) var cursor: Int
  /// The number of Unicode scalars that fit; `nil`: no limit.
  let maxLength: Int?

  /// Places the cursor at the end.
  init(_ text: String = "", maxLength: Int? = nil) {
    self.text = text
    self.maxLength = maxLength
    cursor = text.count
  }

  /// Edits the text, or moves the cursor. Returns whether the key has a meaning in a text field,
  /// even if nothing changed. A character that exceeds the limit is ignored.
  mutating func press(_ key: Key) -> Bool {
    switch key {
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(text.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = text.count
    case .backspace: replace(max(0, cursor - 1)..<cursor)
    case .delete: replace(cursor..<min(text.count, cursor + 1))
    case .control("u"): replace(0..<cursor)
    case .control("w"): replace(wordStart..<cursor)
    case .character(let character): insert(character)
    default: return false
    }
    return true
  }

  /// The field with a dot for each character, to draw a password.
  var dotted: TextField {
    var field = self
    field.text = String(repeating: "•", count: text.count)
    return field
  }

  mutating func moveCursorToStart() {
    cursor = 0
  }

  /// Returns the part of the text around the cursor that fits in a number of columns, and the
  /// column of the cursor in that part.
  func visible(in columns: Int) -> (text: String, cursorColumn: Int) {
    var cursorColumn = 0
    let before = text.prefix(cursor).reversed().prefix {
      let width = TextWidth.columns(of: $0)
      guard cursorColumn + width < columns else { return false }
      cursorColumn += width
      return true
    }
    var end = cursorColumn
    let after = text.dropFirst(cursor).prefix {
      end += TextWidth.columns(of: $0)
      return end <= columns
    }
    return (String(before.reversed()) + after, cursorColumn)
  }

  /// The start of the word before the cursor, as Ctrl-W finds it in a shell.
  private var wordStart: Int {
    let before = Array(text.prefix(cursor))
    let wordEnd = before.lastIndex { !$0.isWhitespace } ?? 0
    return before[..<wordEnd].lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
  }

  private mutating func insert(_ character: Character) {
    let length = text.unicodeScalars.count + character.unicodeScalars.count
    guard length <= maxLength ?? .max else { return }
    replace(cursor..<cursor, with: [character])
  }

  private mutating func replace(_ range: Range<Int>, with new: [Character] = []) {
    var characters = Array(text)
    characters.replaceSubrange(range, with: new)
    // A combining character merges with the letter before it, so the count is taken afterwards.
    let end = String(characters.prefix(range.lowerBound + new.count)).count
    text = String(characters)
    cursor = min(end, text.count)
  }
}
