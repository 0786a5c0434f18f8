import Shared

/// Limits the log lines of an address's connections, and counts the connections without lines of
/// their own. Otherwise an address that connects often could fill a disk.
struct AddressLog {
  /// The events that are counted if they have no line of their own.
  enum Event {
    case opened, loggedIn, rejected
  }

  /// How many connections have lines of their own each second, and at once.
  static let perSecond = 5
  static let burst = 100

  private var bucket = TokenBucket(perSecond: perSecond, burst: burst)
  private var opened = 0
  private var loggedIn = 0
  private var rejected = 0

  /// Returns whether one more connection may have lines of its own.
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

  /// Returns the counts since the last call as log fields.
  mutating func takeFields(of address: String) -> LogFields {
    defer { (opened, loggedIn, rejected) = (0, 0, 0) }
    return [
      "from": .text(address), "opened": .number(opened), "loggedIn": .number(loggedIn),
      "rejected": .number(rejected),
    ]
  }
}
