/// The hints of the last row, which are also buttons.
extension Frame {
  /// Returns the key that the hint at a position names; `nil` if there is none.
  func hint(at position: Position) -> Key? {
    let row = size.rows - 1
    guard position.row == row, contains(row, position.column),
      self[row, position.column].style.isDim
    else { return nil }
    let texts = (0..<size.columns).map { self[row, $0].character ?? " " }
    guard texts[position.column] != "·" else { return nil }
    let start = texts[..<position.column].lastIndex(of: "·").map { $0 + 1 } ?? 0
    let end = texts[position.column...].firstIndex(of: "·") ?? texts.count
    let words = String(texts[start..<end]).split(separator: " ")
    guard words.count > 1, let word = words.first else { return nil }
    switch word {
    case "Esc": return .escape
    case "Enter": return .enter
    case "Tab": return .tab
    case "Space": return .character(" ")
    case "Ctrl-C": return .control("c")
    default: return word.count == 1 ? word.first.map { .character($0) } : nil
    }
  }
}
