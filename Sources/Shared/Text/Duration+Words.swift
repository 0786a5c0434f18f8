/// All ways in which people read a time.
extension Duration {
  /// In a sentence: rounded up to a whole number of a unit that fits, "90 seconds" or "2 hours".
  package var words: String {
    let seconds = secondsRoundedUp
    let units = [("day", 86_400), ("hour", 3_600), ("minute", 60)]
    // From two of a unit on, or where nothing is rounded.
    let unit = units.first { seconds >= 2 * $0.1 || seconds == $0.1 } ?? ("second", 1)
    let count = (seconds + unit.1 - 1) / unit.1
    return "\(count) \(unit.0)\(count == 1 ? "" : "s")"
  }

  /// Where there is little room, and something has to be waited for: "90 s" or "2 min", rounded up.
  package var short: String {
    let seconds = secondsRoundedUp
    return seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
  }

  /// How long something takes already: whole seconds, "90 s".
  package var elapsed: String { "\(components.seconds) s" }

  /// Minutes and seconds, rounded up, as `0:42`. A negative duration is `0:00`.
  package var clock: String {
    let seconds = max(0, secondsRoundedUp)
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }

  /// The largest whole unit: `5 min ago`.
  package var inThePast: String {
    let seconds = max(0, components.seconds)
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400)
    func text(_ count: Int64, _ unit: String) -> String {
      "\(count) \(unit)\(count == 1 ? "" : "s") ago"
    }
    return switch days {
    case 0 where minutes == 0: "just now"
    case 0 where hours == 0: "\(minutes) min ago"
    case 0: "\(hours) h ago"
    case 1..<60: text(days, "day")
    case 60..<730: text(days / 30, "month")
    default: text(days / 365, "year")
    }
  }

  /// In a table: up to two units, `2h 5m`.
  package var span: String {
    let seconds = components.seconds
    let parts = [
      (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "m"),
      (seconds % 60, "s"),
    ]
    let used = parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }
    return used.isEmpty ? "0s" : used.map { "\($0.0)\($0.1)" }.joined(separator: " ")
  }

  private var secondsRoundedUp: Int { Int((self / .seconds(1)).rounded(.up)) }
}
