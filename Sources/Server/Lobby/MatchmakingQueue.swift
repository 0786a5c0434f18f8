import Shared

/// The players who wait for anyone to play one game.
struct MatchmakingQueue {
  /// Those who are not held back, the longest wait first. Each is a recent partner of each other, or
  /// the two would not wait: so they are few, `RecentPartners.max` + 1 at most.
  private var ready: [Session] = []
  /// How many wait, also of those who are held back.
  private(set) var count = 0

  mutating func add(_ session: Session) {
    count += 1
    if let request = session.request, !request.isHeld { makeReady(session) }
  }

  /// A player who waits is held back no longer, and has no partner.
  mutating func makeReady(_ session: Session) {
    let number = session.request?.number ?? .max
    let index = ready.firstIndex { $0.request?.number ?? .max > number }
    ready.insert(session, at: index ?? ready.endIndex)
  }

  mutating func remove(_ session: Session) {
    count -= 1
    ready.removeAll { $0 === session }
  }

  /// Who is paired with a player who has just come, or is held back no longer: the longest wait of
  /// those who are no recent partners, or the only other one who waits.
  func partner(for session: Session, at now: Duration) -> Session? {
    let others = session.request == nil ? count : count - 1
    if others == 1 { return ready.first }
    return ready.first { session.pairingTime(with: $0) <= now }
  }

  /// The two who are paired next, and when that is, if nobody comes or goes; `nil` where nobody will
  /// be. Of all who can be paired now, the longest wait comes first.
  func nextPair(at now: Duration) -> (first: Session, second: Session, time: Duration)? {
    var next: (first: Session, second: Session, time: Duration)?
    for (index, first) in ready.enumerated() {
      for second in ready[(index + 1)...] {
        let time = count == 2 ? now : max(now, first.pairingTime(with: second))
        if next.map({ time < $0.time }) ?? true { next = (first, second, time) }
      }
    }
    return next
  }
}

extension Session {
  /// When this player and another can be paired while others wait; zero: at any time.
  fileprivate func pairingTime(with other: Session) -> Duration {
    // Each of the two may have forgotten the other.
    guard let mine = recentPartners.end(of: other.number),
      let others = other.recentPartners.end(of: number)
    else { return .zero }
    return min(mine, others)
  }
}
