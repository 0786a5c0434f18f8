import RIBs
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

  /// A game of the match.
  struct Game: Equatable {
    /// The index of the step that begins it.
    let step: Int
    let players: PerMark<String>
    fileprivate(set) var moves = 0
    /// `nil` if its end is missing.
    fileprivate(set) var outcome: Outcome?
  }

  /// The id of the match.
  let match: String
  /// In order, each a match event or one of an unknown type.
  let events: [Event]
  let steps: [Step]
  /// The games, in order.
  let games: [Game]
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
    var games: [Game] = []
    var (start, move) = (0, 0)
    for (index, event) in events.enumerated() {
      if event.beginsStep, index > start {
        steps.append(Step(events: start..<index, move: move))
        start = index
      }
      if event.isMove { move += 1 }
      guard case .match(let event) = event else { continue }
      switch event.body {
      case .gameDidStart(let state):
        games.append(Game(step: steps.count, players: state.players))
      case .boardDidChange where !games.isEmpty: games[games.count - 1].moves += 1
      case .gameDidEnd(let outcome, _) where !games.isEmpty:
        games[games.count - 1].outcome = outcome
      case .boardDidChange, .gameDidEnd, .presenceDidChange, .didSay, .matchDidEnd: break
      }
    }
    self.games = games
    steps.append(Step(events: start..<events.count, move: move))
    self.steps = steps
  }
}

extension Replay {
  /// Returns the index of a game of the history. `later` is the number of games of the match that
  /// ended after it, as far as the history knows: two games may look alike. Returns `nil` if the
  /// match has no such game.
  func index(of item: HistoryItem, later: Int) -> Int? {
    let expected = games.count - 1 - later
    let alike = games.indices.filter { games[$0].isAlike(item) }
    return alike.min { abs($0 - expected) < abs($1 - expected) }
  }
}

extension Replay.Game {
  /// Whether an item of the history, which has no cells of the line, can be this game.
  fileprivate func isAlike(_ item: HistoryItem) -> Bool {
    players == item.players && moves == item.moves && outcome?.winner == item.outcome.winner
      && outcome?.reason == item.outcome.reason
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
