import Shared

@testable import Server

/// Whether what ended had a reason that those in it gave.
extension World {
  /// Notes a match event, and answers whether nobody has got it before.
  func note(_ event: MatchEvent, _ line: String) throws(Violation) -> Bool {
    try ledger.receive(line.withoutReceiver, of: event.match, seq: event.seq)
  }

  /// `picture` has the event already.
  func judge(_ event: MatchEvent, _ picture: MatchPicture) throws(Violation) {
    guard let time = ledger.time(of: event.match, seq: event.seq) else { return }
    switch event.body {
    case .gameDidStart(let game):
      try check(left: game.timeLeft, for: picture, isTimed: true, isNow: false)
    case .boardDidChange(let change, let left):
      try check(left: left, for: picture, isTimed: change.turn != nil, isNow: false)
    case .gameDidEnd(let outcome, _):
      try demand(
        ledger.outcome(of: event.match, asOf: event.seq) == outcome, "the game did not end so")
      let loser = outcome.winner.map { picture.players[$0.other] } ?? ""
      switch outcome.reason {
      case .resigned: try use(\.resigns, of: loser, event)
      case .timeout:
        let begun = ledger.timeOfChange(of: event.match, before: event.seq) ?? .zero
        try demand(
          begun + (plan.settings.turn ?? .zero) == time, "timeout at \(time), begun \(begun)")
      case .line:
        try demand(
          outcome.line?.allSatisfy { picture.board[$0] == outcome.winner } == true,
          "no line of \(picture.board.rows): \(outcome)")
      case .full: try demand(picture.board.freeCells.isEmpty, "a draw on \(picture.board.rows)")
      case .abandoned, .left: break
      }
    case .presenceDidChange(let mark, let isOnline, _):
      let name = picture.players[mark]
      let wasLost = conduct[name]?.losses.contains(time) == true
      try demand(isOnline || wasLost, "\(name) was not lost at \(time)")
    case .matchDidEnd(let reason, let mark, _):
      let name = mark.map { picture.players[$0] } ?? ""
      switch reason {
      case .shutdown: try demand(isDown, "a shutdown that is none")
      case .left: try use(\.leaves, of: name, event)
      case .abandoned:
        let grace = plan.settings.resumeWithin ?? .zero
        try demand(
          conduct[name]?.losses.contains(time - grace) == true
            && (grace == .zero || conduct[name]?.wasThere(from: time, to: time) == false),
          "\(name) was there at \(time): \(String(describing: conduct[name]))")
        try demand(
          grace == .zero || mark.map { !picture.online[$0] } == true,
          "\(name) abandons a match while online")
      }
    case .didSay(let from, let text):
      try demand(
        conduct[from]?.texts.remove(text) != nil, "\(from) has not said \(text), or once only")
      try checkRate(of: from, in: event.match, picture, at: time)
    }
  }

  /// Of those who play: a spectator can have been here before in another session.
  private func checkRate(
    of name: String, in match: String, _ picture: MatchPicture, at time: Duration
  ) throws(Violation) {
    guard plan.settings.limits.chatRate != nil,
      [picture.players.x, picture.players.o].contains(name)
    else { return }
    conduct[name]?.remarks[match, default: []].append(time)
    let times = conduct[name]?.remarks[match, default: []].sorted() ?? []
    for (first, last) in zip(times, times.dropFirst(10)) {
      try demand(last - first >= .milliseconds(200), "\(name) has said 11 things at once")
    }
  }

  /// `isNow`: what is left now, and not the whole time for the move that begins.
  func check(
    left: Duration?, for picture: MatchPicture, isTimed: Bool, isNow: Bool
  ) throws(Violation) {
    let mover = picture.board.turn.map { picture.players[$0] }
    let limit = isTimed && mover != "bot" ? plan.settings.turn : nil
    guard let left, let limit else {
      return try demand(left == nil && limit == nil, "left is \(String(describing: left))")
    }
    // The wire tells whole milliseconds, rounded up.
    let excess = (left - limit) / .milliseconds(1)
    let isRight = isNow ? excess < 1 : abs(excess) <= 1
    try demand(isRight, "left is \(left) of \(limit)")
  }

  private func use(
    _ count: WritableKeyPath<Conduct, Int>, of name: String, _ event: MatchEvent
  ) throws(Violation) {
    try demand((conduct[name]?[keyPath: count] ?? 0) > 0, "\(name) did not ask for \(event)")
    conduct[name]?[keyPath: count] -= 1
  }
}

extension String {
  /// A line of a match without `re` and `you`, which stand right behind its type.
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
