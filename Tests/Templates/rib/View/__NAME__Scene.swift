/// __NAME__ on the screen: a pure value that can be drawn.
struct __NAME__Scene: Equatable {
  /// The action of a key press.
  enum Action: Equatable {
    case close
  }

  static let minimumSize = Size(rows: 12, columns: 40)

  var sentence = ""

  /// Returns the action of the key; `nil` if the key has no meaning here.
  func press(_ key: Key) -> Action? {
    switch key {
    case .character("q"), .escape: .close
    default: nil
    }
  }

  var keys: [KeyHelp] { [KeyHelp("q, Esc", "go back")] }

  func draw(into frame: inout Frame) {
    frame.writeHeader("__NAME__", "")
    frame.write(
      sentence, at: Position(row: 2, column: 2), width: max(0, frame.size.columns - 4))
    frame.writeFooter([KeyHelp("Esc", "back"), KeyHelp("?", "keys")])
  }
}
