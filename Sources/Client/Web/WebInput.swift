import Shared

/// A message of the page.
enum WebInput: Equatable {
  /// The first message: the size of the window, the secret of the tab, blank for a new one, the
  /// path of the page, and the session that the browser keeps.
  case hello(Size, secret: String, path: String, kept: BrowserSession?)
  case resize(Size)
  case keys([Key])
  /// The page has drawn a frame.
  case drawn
  /// The page is still there.
  case alive

  /// The largest window that is drawn.
  static let maxSize = Size(rows: 60, columns: 160)

  /// Parses a message; returns `nil` for one that no page sends.
  init?(_ text: String) {
    guard let kind = text.first else { return nil }
    let rest = text.dropFirst()
    let words = rest.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    switch kind {
    case "h":
      guard words.count >= 4, let size = Self.size(words.prefix(2)) else { return nil }
      let kept = words.count > 4 ? BrowserSession(words[4]) : nil
      self = .hello(size, secret: String(words[2]), path: String(words[3]), kept: kept)
    case "r":
      guard words.count == 2, let size = Self.size(words) else { return nil }
      self = .resize(size)
    case "k":
      guard let key = Self.names[String(rest)] else { return nil }
      self = .keys([key])
    case "t": self = .keys(rest.map { Key.character($0.displayable) })
    case "p": self = .keys(rest.map { Key.pasted($0.isNewline ? " " : $0.displayable) })
    case "m":
      guard words.count == 2, let row = Int(words[0]), let column = Int(words[1]),
        (0..<Self.maxSize.rows).contains(row), (0..<Self.maxSize.columns).contains(column)
      else { return nil }
      self = .keys([.press(Position(row: row, column: column))])
    case "a" where rest.isEmpty: self = .drawn
    case "i" where rest.isEmpty: self = .alive
    default: return nil
    }
  }

  private static func size(_ words: some Collection<Substring>) -> Size? {
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else { return nil }
    return Size(rows: min(numbers[0], maxSize.rows), columns: min(numbers[1], maxSize.columns))
  }

  /// The keys by their names in `KeyboardEvent.key`.
  private static let names: [String: Key] = [
    "Enter": .enter, "Escape": .escape, "Tab": .tab, "BackTab": .backTab,
    "Backspace": .backspace, "Delete": .delete, "ArrowUp": .up, "ArrowDown": .down,
    "ArrowLeft": .left, "ArrowRight": .right, "Home": .home, "End": .end, "PageUp": .pageUp,
    "PageDown": .pageDown, "ScrollUp": .scrollUp, "ScrollDown": .scrollDown,
    "Ctrl-c": .control("c"), "Ctrl-u": .control("u"), "Ctrl-w": .control("w"),
  ]
}
