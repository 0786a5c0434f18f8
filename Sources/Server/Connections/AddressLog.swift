import Shared

/// Which connections of an address the log tells one by one, and how many others there were. An
/// address whose connections come often would fill a disk otherwise.
struct AddressLog {
  /// What is counted where it is not told by itself.
  enum Event {
    case opened, loggedIn, rejected
  }

  /// How many connections are told a second, and at once.
  static let perSecond = 5
  static let burst = 100

  private var bucket = TokenBucket(perSecond: perSecond, burst: burst)
  private var opened = 0
  private var loggedIn = 0
  private var rejected = 0

  /// Whether one more connection is told by itself.
  mutating func admits(at now: Duration) -> Bool { bucket.take(at: now) == nil }

  mutating func count(_ event: Event) {
    switch event {
    case .opened: opened += 1
    case .loggedIn: loggedIn += 1
    case .rejected: rejected += 1
    }
  }

  var isEmpty: Bool { opened == 0 && loggedIn == 0 && rejected == 0 }

  func isQuiet(at now: Duration) -> Bool { isEmpty && bucket.isFull(at: now) }

  /// What was counted since the last time.
  mutating func takeFields(of address: String) -> LogFields {
    defer { (opened, loggedIn, rejected) = (0, 0, 0) }
    return [
      "from": .text(address), "opened": .number(opened), "loggedIn": .number(loggedIn),
      "rejected": .number(rejected),
    ]
  }
}
