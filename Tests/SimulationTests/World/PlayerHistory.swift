import Shared

/// What a player has done that can end games and matches, and when it was online.
struct PlayerHistory {
  /// A period during which one connection carried the session.
  struct OnlinePeriod {
    let link: Int
    /// When the client knew of it.
    let since: Duration
    var until: Duration?
  }

  /// Requests that were neither refused nor carried out yet.
  var leaves = 0
  var resigns = 0
  /// Remarks that were sent and not received yet.
  var texts: Set<String> = []
  /// The times of the remarks it made as a player, by match.
  var remarks: [String: [Duration]] = [:]
  /// When the server lost connections of this player.
  var losses: [Duration] = []
  var onlinePeriods: [OnlinePeriod] = []
  /// Whether it reconnects within a minute after every loss.
  var alwaysReturns = false
  /// How many connections of this player the server holds.
  var openLinks = 0

  mutating func linkDidEnd(_ link: Int, at time: Duration) {
    losses.append(time)
    openLinks -= 1
    for index in onlinePeriods.indices where onlinePeriods[index].link == link {
      onlinePeriods[index].until = time
    }
  }

  /// Whether one connection certainly carried the session from `start` to `end`.
  func wasOnline(from start: Duration, to end: Duration) -> Bool {
    onlinePeriods.contains { $0.since < start && $0.until.map { $0 >= end } ?? true }
  }
}
