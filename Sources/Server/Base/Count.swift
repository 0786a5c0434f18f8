/// Numbers for people.
enum Count {
  /// Returns a number with commas: `1,234,567`.
  static func text(_ number: Int) -> String {
    var digits = Array(String(number))
    for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
    return String(digits)
  }

  static func of(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(text(number)) \(number == 1 ? one : many ?? one + "s")"
  }
}
