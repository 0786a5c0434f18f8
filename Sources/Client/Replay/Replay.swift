import Shared

/// A stored match: the events that its spectators got.
struct Replay: Equatable {
  /// A part of the match that is shown at once: the beginning of a game, a move, or the end of a
  /// game without a move. What follows before the next one, such as a chat message, belongs to it.
  struct Step: Equatable {
    let events: Range<Int>
    /// The number of moves in the match up to here, across its games.
    let move: Int
  }

  /// The id of the match.
  let match: String
  /// In order, each a match event or one of an unknown type.
  let events: [Event]
  let steps: [Step]
  /// The number of the last event, as the server has named it; `nil` if nobody has.
  let last: Int?
  /// The number of moves.
  var moveCount: Int { steps.last?.move ?? 0 }

  /// Whether the end of the match is the last event. If not, the match was still being played when
  /// it was exported, or the rest is lost.
  var isComplete: Bool { events.last?.isEnd ?? false }

  /// `events` must not be empty.
  init(match: String, events: [Event], last: Int? = nil) {
    precondition(!events.isEmpty, "a stored match has at least one event")
    self.last = last
    self.match = match
    self.events = events
    var steps: [Step] = []
    var (start, move) = (0, 0)
    for (index, event) in events.enumerated() {
      if event.beginsStep, index > start {
        steps.append(Step(events: start..<index, move: move))
        start = index
      }
      if event.isMove { move += 1 }
    }
    steps.append(Step(events: start..<events.count, move: move))
    self.steps = steps
  }
}

extension Event {
  fileprivate var isMove: Bool {
    if case .match(let event) = self, case .boardDidChange = event.body { true } else { false }
  }

  fileprivate var beginsStep: Bool {
    guard case .match(let event) = self else { return false }
    return switch event.body {
    case .gameDidStart, .boardDidChange: true
    // The last move shows the end of these games.
    case .gameDidEnd(let outcome, _): ![.line, .full].contains(outcome.reason)
    case .presenceDidChange, .didSay, .matchDidEnd: false
    }
  }

  /// Whether the event ends its match.
  var isEnd: Bool {
    if case .match(let event) = self, case .matchDidEnd = event.body { true } else { false }
  }

  /// The match and the number of a match event; `nil` for any other event.
  var place: (match: String, seq: Int)? {
    switch self {
    case .match(let event): (event.match, event.seq)
    case .unknown(let match?, let seq?): (match, seq)
    default: nil
    }
  }
}
