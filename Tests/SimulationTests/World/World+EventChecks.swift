import Shared

@testable import Server

/// Checks that each event has a cause: a game ends as resigned because its loser resigned.
extension World {
  /// Records a match event. Returns whether no player has received it before.
  func note(_ event: MatchEvent, _ line: String) throws(ViolationError) -> Bool {
    try model.receive(line.withoutReceiver, of: event.match, seq: event.seq)
  }

  /// The event has already been applied to `state`.
  func checkCause(of event: MatchEvent, _ state: MatchReplica) throws(ViolationError) {
    guard let time = model.time(of: event.match, seq: event.seq) else { return }
    switch event.body {
    case .gameDidStart(let game):
      try check(left: game.timeLeft, for: state, isTimed: true, isNow: false)
    case .boardDidChange(let change, let left):
      try check(left: left, for: state, isTimed: change.turn != nil, isNow: false)
    case .gameDidEnd(let outcome, _):
      try require(
        model.outcome(of: event.match, asOf: event.seq) == outcome,
        "the game did not end in this way")
      let loser = outcome.winner.map { state.players[$0.other] } ?? ""
      switch outcome.reason {
      case .resigned: try use(\.resigns, of: loser, event)
      case .timeout:
        let begun = model.timeOfChange(of: event.match, before: event.seq) ?? .zero
        try require(
          begun + (plan.settings.turn ?? .zero) == time, "timeout at \(time), begun \(begun)")
      // The replica has checked the board.
      case .line, .full, .abandoned, .left: break
      }
    case .presenceDidChange(let mark, let isOnline, _):
      let name = state.players[mark]
      let wasLost = history[name]?.losses.contains(time) == true
      try require(isOnline || wasLost, "\(name) was not lost at \(time)")
    case .matchDidEnd(let reason, let mark, _):
      let name = mark.map { state.players[$0] } ?? ""
      switch reason {
      case .shutdown: try require(isDown, "matchDidEnd says shutdown, but the server runs")
      case .left: try use(\.leaves, of: name, event)
      case .abandoned:
        let grace = plan.settings.resumeWithin ?? .zero
        try require(
          history[name]?.losses.contains(time - grace) == true
            && (grace == .zero || history[name]?.wasOnline(from: time, to: time) == false),
          "\(name) was there at \(time): \(String(describing: history[name]))")
        try require(
          grace == .zero || mark.map { !state.online[$0] } == true,
          "\(name) abandons a match while online")
      }
    case .didSay(let from, let mark, let text):
      try require(
        mark == Mark.allCases.first { state.players[$0] == from },
        "\(from) speaks as \(mark as Any)")
      try require(
        history[from]?.texts.remove(text) != nil, "\(from) has not said \(text), or once only")
      try checkRate(of: from, in: event.match, state, at: time)
    }
  }

  /// Checks players only: a spectator can have made remarks in an earlier session.
  private func checkRate(
    of name: String, in match: String, _ state: MatchReplica, at time: Duration
  ) throws(ViolationError) {
    guard plan.settings.limits.chatRate != nil,
      [state.players.x, state.players.o].contains(name)
    else { return }
    history[name]?.remarks[match, default: []].append(time)
    let times = history[name]?.remarks[match, default: []].sorted() ?? []
    for (first, last) in zip(times, times.dropFirst(10)) {
      try require(last - first >= .milliseconds(200), "\(name) has said 11 things at once")
    }
  }

  /// `isNow`: the time that is left at this moment, not the full time of a move that begins.
  func check(
    left: Duration?, for state: MatchReplica, isTimed: Bool, isNow: Bool
  ) throws(ViolationError) {
    let isBetweenPeople = state.players.x != Player.botName && state.players.o != Player.botName
    let limit = isTimed && isBetweenPeople ? plan.settings.turn : nil
    guard let left, let limit else {
      return try require(left == nil && limit == nil, "left is \(String(describing: left))")
    }
    // The wire carries whole milliseconds, rounded up.
    let excess = (left - limit) / .milliseconds(1)
    let isRight = isNow ? excess < 1 : abs(excess) <= 1
    try require(isRight, "left is \(left) of \(limit)")
  }

  private func use(
    _ count: WritableKeyPath<PlayerHistory, Int>, of name: String, _ event: MatchEvent
  ) throws(ViolationError) {
    try require((history[name]?[keyPath: count] ?? 0) > 0, "\(name) did not ask for \(event)")
    history[name]?[keyPath: count] -= 1
  }
}

extension String {
  /// The line of a match event without `re` and `you`, which follow its type.
  fileprivate var withoutReceiver: String {
    var line = self[...]
    guard let comma = line.firstIndex(of: ",") else { return self }
    let type = line[...comma]
    line = line[line.index(after: comma)...]
    for field in ["\"re\":", "\"you\":"] where line.hasPrefix(field) {
      guard let end = line.firstIndex(of: ",") else { return self }
      line = line[line.index(after: end)...]
    }
    return String(type + line)
  }
}
