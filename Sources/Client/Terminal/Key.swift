/// What a person does at the terminal.
enum Key: Equatable {
  /// Something printable, the space included.
  case character(Character)
  /// A letter, in lower case, with Ctrl.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, home, end
  /// The left button of the mouse went down on a cell.
  case press(Position)
  case scrollUp, scrollDown
}
