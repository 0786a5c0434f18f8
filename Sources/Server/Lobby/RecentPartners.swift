import Shared

/// The players with whom a player was paired by chance in the last minute.
struct RecentPartners {
  /// How long two players are not paired by chance again while a third one waits.
  static let time: Duration = .seconds(60)
  /// The maximum number of partners. One more replaces the oldest.
  static let max = 8

  private var pairings: [Pairing] = []

  private struct Pairing {
    /// The partner's `Session.number`.
    let partner: Int
    let end: Duration
  }

  mutating func add(_ partner: Int, at now: Duration) {
    pairings.removeAll { $0.end <= now || $0.partner == partner }
    if pairings.count == Self.max { pairings.removeFirst() }
    pairings.append(Pairing(partner: partner, end: now + Self.time))
  }

  /// Returns until when a player is a recent partner, which may be in the past; `nil` for a player
  /// who is not in the list.
  func end(of partner: Int) -> Duration? { pairings.first { $0.partner == partner }?.end }
}
