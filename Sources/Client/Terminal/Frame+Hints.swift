import Shared

/// The hints of the last row, which are also buttons.
extension Frame {
  /// Returns the key that the hint at a position names; `nil` if there is none.
  func hint(at position: Position) -> Key? {
    guard position.row == size.rows - 1 else { return nil }
    return hints.first { $0.columns.contains(position.column) }?.key
  }

  /// Names the hints as buttons.
  mutating func addHintButtons() {
    for hint in hints {
      addButton(at: Position(row: size.rows - 1, column: hint.columns.lowerBound), hint.text)
    }
  }

  /// The columns, the key and the text of each hint.
  private var hints: [(columns: Range<Int>, key: Key, text: String)] {
    let row = size.rows - 1
    guard row >= 0 else { return [] }
    // Whatever else stands in the row is not dim.
    let characters = (0..<size.columns).map { column -> Character in
      self[row, column].style.isDim ? self[row, column].character ?? " " : "·"
    }
    return characters.indices.split { characters[$0] == "·" }.compactMap { indices in
      let text = String(characters[indices]).trimmed
      let words = text.split(separator: " ")
      guard words.count > 1, let word = words.first, let key = Key(named: word) else { return nil }
      return (indices.startIndex..<indices.endIndex, key, text)
    }
  }
}

extension KeyHelp {
  /// The key that a click on this help presses; `nil` if it names none.
  var key: Key? {
    keys.split { " ,".contains($0) }.first.flatMap { Key(named: $0) }
  }
}

extension Key {
  /// The key with a name in a help; `nil` for anything else.
  fileprivate init?(named word: Substring) {
    switch word {
    case "Esc": self = .escape
    case "Enter": self = .enter
    case "Tab": self = .tab
    case "Space": self = .character(" ")
    case "Ctrl-C": self = .control("c")
    default:
      guard word.count == 1, let character = word.first, character.isASCII else { return nil }
      self = .character(character)
    }
  }
}
