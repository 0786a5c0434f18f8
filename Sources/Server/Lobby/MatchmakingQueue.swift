import Shared

/// What a waiting player wants to play. A class, for a place that holds it is copied with each move.
final class PendingRequest {
  let game: Game
  /// `nil`: anyone.
  let opponent: Session?
  /// Goes up with each request, so the least has waited longest.
  let number: Int
  /// Fires when the request is held back no longer. Until then its player is paired only with one who
  /// names that player. `nil` for a request that is not held back.
  var hold: LoopTimer?

  init(game: Game, opponent: Session?, number: Int) {
    self.game = game
    self.opponent = opponent
    self.number = number
  }

  var isHeld: Bool { hold != nil }

  func wants(_ session: Session) -> Bool { opponent == nil || opponent === session }
}

/// The players who wait for anyone to play one game.
struct MatchmakingQueue {
  /// The players who are not held back, the longest wait first. Any two of them are recent partners,
  /// or they would be paired: so there are at most `RecentPartners.max` + 1.
  private var ready: [Session] = []
  /// How many players wait, including those who are held back.
  private(set) var count = 0

  mutating func add(_ session: Session) {
    count += 1
    if let request = session.request, !request.isHeld { makeReady(session) }
  }

  /// Adds a player who waits, and is held back no longer, to those who are ready.
  mutating func makeReady(_ session: Session) {
    let number = session.request?.number ?? .max
    let index = ready.firstIndex { $0.request?.number ?? .max > number }
    ready.insert(session, at: index ?? ready.endIndex)
  }

  mutating func remove(_ session: Session) {
    count -= 1
    ready.removeAll { $0 === session }
  }

  /// Returns the partner of a player who has just come, or is held back no longer: of the players who
  /// are ready and no recent partners the one who has waited longest, or the only other who waits.
  func partner(for session: Session, at now: Duration) -> Session? {
    let others = session.request == nil ? count : count - 1
    if others == 1 { return ready.first }
    return ready.first { session.pairingTime(with: $0) <= now }
  }

  /// Returns the two players who are paired next if nobody comes or goes, and when; `nil` where no two
  /// are. Where several can be paired now, the longest wait comes first.
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
  /// Returns from when on this player and another are paired also while a third one waits.
  fileprivate func pairingTime(with other: Session) -> Duration {
    // Either of the two may have forgotten the other.
    guard let mine = recentPartners.end(of: other.number),
      let others = other.recentPartners.end(of: number)
    else { return .zero }
    return min(mine, others)
  }
}
