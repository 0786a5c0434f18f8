/// The players that a player was paired with by chance in the last minute.
struct RecentPartners {
  /// How long two players are not paired by chance again while a third player waits.
  static let duration: Duration = .seconds(60)
  /// The maximum number of partners. A further partner replaces the oldest.
  static let maxCount = 8

  private var pairings: [Pairing] = []

  private struct Pairing {
    /// The partner's `Session.number`.
    let partner: Int
    let end: Duration
  }

  mutating func add(_ partner: Int, at now: Duration) {
    pairings.removeAll { $0.end <= now || $0.partner == partner }
    if pairings.count == Self.maxCount { pairings.removeFirst() }
    pairings.append(Pairing(partner: partner, end: now + Self.duration))
  }

  /// Returns the time until which a player is a recent partner, which may be in the past; `nil` for
  /// a player who is not in the list.
  func end(of partner: Int) -> Duration? { pairings.first { $0.partner == partner }?.end }
}

/// Counts the matches that a player has left before the first move, and delays the player's next
/// requests, so that other players are paired first.
struct EarlyLeaves {
  /// Since the last early leave, the count decreases by one after each interval of this length.
  private static let decayInterval: Duration = .seconds(60)
  /// In seconds.
  private static let maxHold = 60

  private var count = 0
  private var last = Duration.zero

  mutating func add(at now: Duration) {
    count = currentCount(at: now) + 1
    last = now
  }

  /// Returns how long a request that is made now is held back: not at all after the first early
  /// leave, and one second longer after each further one, up to a minute.
  func hold(at now: Duration) -> Duration {
    .seconds(min(Self.maxHold, max(0, currentCount(at: now) - 1)))
  }

  private func currentCount(at now: Duration) -> Int {
    max(0, count - Int((now - last) / Self.decayInterval))
  }
}

/// The players who have declined to play with a player, who may not invite them again for a while.
struct RecentDeclines {
  /// How long a player who was declined may not invite the same player again.
  static let duration: Duration = .seconds(30)

  /// The end of each by the `Session.number` of the player who declined.
  private var ends: [Int: Duration] = [:]

  mutating func add(_ opponent: Int, at now: Duration) {
    ends = ends.filter { $0.value > now }
    ends[opponent] = now + Self.duration
  }

  /// Returns how long the player may still not invite an opponent; `nil` if the player may.
  func timeLeft(for opponent: Int, at now: Duration) -> Duration? {
    guard !ends.isEmpty, let end = ends[opponent], end > now else { return nil }
    return end - now
  }
}
