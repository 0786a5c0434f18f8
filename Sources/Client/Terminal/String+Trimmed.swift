extension String {
  /// Without white space at the ends.
  var trimmed: String {
    let from = drop { $0.isWhitespace }
    guard let last = from.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(from[...last])
  }
}
