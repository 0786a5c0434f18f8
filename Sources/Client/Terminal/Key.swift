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
