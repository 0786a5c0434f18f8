import Shared

/// The game and the opponent that a player waits for. A class, because `Session.Place`, which holds
/// it, is copied with each move.
final class PendingRequest {
  let game: Game
  /// `nil` means anyone, or a friend who has the `code`.
  let opponent: Session?
  /// The code with which a friend joins; `nil` for other requests.
  let code: String?
  /// The number of the request. The request with the lowest number has waited longest.
  let number: Int
  /// Fires when the request is no longer held back. Until then its player is paired only with a
  /// player who names them. `nil` for a request that is not held back.
  var hold: LoopTimer?
  /// When the invitation ends; `nil` for no limit, and for a request without an opponent.
  var expiry: (time: Duration, timer: LoopTimer)?
  /// Called when the request is answered by a match, before it begins.
  var onPair: () -> Void = {}
  /// Called when the request does not stand any more.
  var onStop: () -> Void = {}

  init(game: Game, opponent: Session?, code: String? = nil, number: Int) {
    self.game = game
    self.opponent = opponent
    self.code = code
    self.number = number
  }

  var isHeld: Bool { hold != nil }

  /// Whether a `start` of a session, which names the player or anyone, is answered by a game.
  func wants(_ session: Session) -> Bool {
    code == nil && (opponent == nil || opponent === session)
  }

  /// How long the invitation still stands; `nil` for no limit.
  func timeLeft(at now: Duration) -> Duration? { expiry.map { max(.zero, $0.time - now) } }

  // The timers refer to the request and its session without holding them.
  deinit { stop() }

  /// Stops the timers of a request that no longer stands.
  func stop() {
    onStop()
    onStop = {}
    onPair = {}
    hold?.cancel()
    expiry?.timer.cancel()
  }
}

/// The players who wait for any opponent in one game.
struct MatchmakingQueue {
  /// The players who are not held back, the longest wait first. Any two of them are recent
  /// partners, or they would have been paired, so there are up to `RecentPartners.maxCount` + 1.
  private var ready: [Session] = []
  /// The number of waiting players, including those who are held back.
  private(set) var count = 0

  mutating func add(_ session: Session) {
    count += 1
    if let request = session.request, !request.isHeld { makeReady(session) }
  }

  /// Makes a waiting player ready, because the player is no longer held back.
  mutating func makeReady(_ session: Session) {
    let number = session.request?.number ?? .max
    let index = ready.firstIndex { $0.request?.number ?? .max > number }
    ready.insert(session, at: index ?? ready.endIndex)
  }

  mutating func remove(_ session: Session) {
    count -= 1
    ready.removeAll { $0 === session }
  }

  /// Returns the partner of a player who has just entered the queue, or is no longer held back.
  /// That is the only other player, or the player who has waited longest of those that are ready
  /// and not recent partners.
  func partner(for session: Session, at now: Duration) -> Session? {
    let others = session.request == nil ? count : count - 1
    if others == 1 { return ready.first }
    return ready.first { session.pairingTime(with: $0) <= now }
  }

  /// Returns the two players who are paired next if the queue does not change, and when; `nil` if
  /// there are none. If several pairs are possible now, the longest wait comes first.
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
  /// Returns the time from which this player and another may be paired while a third one waits.
  fileprivate func pairingTime(with other: Session) -> Duration {
    // Either of the two may have dropped the other from its list.
    guard let mine = recentPartners.end(of: other.number),
      let others = other.recentPartners.end(of: number)
    else { return .zero }
    return min(mine, others)
  }
}
