import Shared

/// Counts times by their length, as Prometheus does: each bucket holds the times up to its bound.
/// Adding a time allocates nothing.
struct Histogram {
  /// For work of the event loop, from which a player should notice nothing, and for what may take
  /// seconds when something is wrong.
  static let fast = Histogram([
    .microseconds(25), .microseconds(50), .microseconds(100), .microseconds(250),
    .microseconds(500), .milliseconds(1), .microseconds(2_500), .milliseconds(5),
    .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
    .milliseconds(250), .milliseconds(500), .seconds(1), .microseconds(2_500_000), .seconds(5),
    .seconds(10),
  ])
  /// For work of other threads, for which somebody waits.
  static let slow = Histogram([
    .microseconds(250), .microseconds(500), .milliseconds(1), .microseconds(2_500),
    .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
    .milliseconds(250), .milliseconds(500), .seconds(1), .microseconds(2_500_000), .seconds(5),
    .seconds(10),
  ])

  /// In ascending order.
  let bounds: [Duration]
  /// The number of times in each bucket that are in no smaller one; the last bucket has no bound.
  private(set) var counts: [Int]
  private(set) var sum = Duration.zero

  init(_ bounds: [Duration]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// The number of all times.
  var count: Int { counts.reduce(0, +) }

  /// Adds a time, as often as `number` says.
  mutating func add(_ time: Duration, number: Int = 1) {
    // In attoseconds, the unit of `Duration` itself, whose operators are slower.
    let attoseconds = time.attoseconds
    var index = 0
    while index < bounds.count, bounds[index].attoseconds < attoseconds { index += 1 }
    counts[index] += number
    sum = Duration(attoseconds: sum.attoseconds + attoseconds * Int128(number))
  }
}
