import Shared

/// With whom a player was paired of late, when both had asked for anyone.
struct RecentPartners {
  /// How long two are not paired so again, while others wait.
  static let time: Duration = .seconds(60)
  /// Of more than these in that time, the first are forgotten.
  static let max = 8

  private var pairings: [Pairing] = []

  private struct Pairing {
    /// The number of a session.
    let partner: Int
    let end: Duration
  }

  mutating func add(_ partner: Int, at now: Duration) {
    pairings.removeAll { $0.end <= now || $0.partner == partner }
    if pairings.count == Self.max { pairings.removeFirst() }
    pairings.append(Pairing(partner: partner, end: now + Self.time))
  }

  /// Until when a player is a recent partner; `nil` for one who is none, or was forgotten.
  func end(of partner: Int) -> Duration? { pairings.first { $0.partner == partner }?.end }
}
