import Shared

extension Duration {
  /// The time for people, rounded up to a whole number of a unit that fits: "90 seconds" or
  /// "2 hours".
  var words: String {
    let seconds = Int((self / .seconds(1)).rounded(.up))
    let units = [("day", 86_400), ("hour", 3_600), ("minute", 60)]
    // From two of a unit on, or where nothing is rounded.
    let unit = units.first { seconds >= 2 * $0.1 || seconds == $0.1 } ?? ("second", 1)
    let count = (seconds + unit.1 - 1) / unit.1
    return "\(count) \(unit.0)\(count == 1 ? "" : "s")"
  }
}
