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

  /// By how many rows the key scrolls a list of `count` rows; `nil` if it does not.
  func scrollRows(page: Int, count: Int) -> Int? {
    switch self {
    case .up, .scrollUp, .character("k"): -1
    case .down, .scrollDown, .character("j"): 1
    case .pageUp: -page
    case .pageDown: page
    case .home: -count
    case .end: count
    default: nil
    }
  }
}
