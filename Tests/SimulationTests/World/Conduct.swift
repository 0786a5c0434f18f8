import Shared

/// What somebody has done that ends games and matches, and when it was there.
struct Conduct {
  /// A time that a connection carried the session.
  struct Spell {
    let link: Int
    /// The client knew of it.
    let since: Duration
    var until: Duration?
  }

  /// Asked for, and not refused or used up yet.
  var leaves = 0
  var resigns = 0
  /// Said, and not heard yet.
  var texts: Set<String> = []
  /// When it said something in a match that it played, by match.
  var remarks: [String: [Duration]] = [:]
  /// When connections were lost to the server.
  var losses: [Duration] = []
  var spells: [Spell] = []
  /// It comes back before a minute is over, whatever befalls its connections.
  var isSteady = false
  /// How many connections the server has from it.
  var openLinks = 0

  mutating func linkDidEnd(_ link: Int, at time: Duration) {
    losses.append(time)
    openLinks -= 1
    for index in spells.indices where spells[index].link == link { spells[index].until = time }
  }

  /// Whether one connection carried the session for certain, all the time.
  func wasThere(from start: Duration, to end: Duration) -> Bool {
    spells.contains { $0.since < start && $0.until.map { $0 >= end } ?? true }
  }
}
