extension String {
  /// The text without white space at its ends.
  package var trimmed: String {
    let from = drop { $0.isWhitespace }
    guard let last = from.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(from[...last])
  }
}
