extension String {
  /// The text without the sequences of keys that type no character, and without the replies of a
  /// terminal. A terminal that reads whole lines puts both into them.
  var withoutKeySequences: String {
    guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return self
    }
    var parser = KeyParser()
    var text = ""
    for key in parser.parse(Array(utf8).span) + parser.flush() {
      switch key {
      case .character(let character), .pasted(let character): text.append(character)
      case .tab: text.append("\t")
      case .control, .enter, .escape, .backTab, .backspace, .delete, .up, .down, .left, .right,
        .home, .end, .pageUp, .pageDown, .press, .scrollUp, .scrollDown:
        break
      }
    }
    return text
  }
}
