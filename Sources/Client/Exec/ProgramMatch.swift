import Shared

/// The match in which a program plays, or which it watches, as the server's events tell it.
struct ProgramMatch {
  /// The number of the last event; 0 without a match.
  private(set) var seq = 0
  /// The id of the match; `nil` without one.
  private(set) var id: String?
  /// The program's mark; `nil` if it plays in no match.
  private(set) var mark: Mark?
  /// The number of games of the match that are over, as far as the program knows.
  private(set) var games = 0
  /// The id of the match that the program watches; `nil` if it watches none.
  private var watched: String?
  /// The program's `start` or `open` that stands, outside a match.
  var request: Command?

  /// Whether the program plays in a match.
  var isPlayed: Bool { seq > 0 && watched == nil }

  /// Returns the command that asks again for what has ended with a session; `nil` if there is
  /// nothing to ask for.
  mutating func takeRequest() -> Command? {
    defer { (seq, id, watched) = (0, nil, nil) }
    return watched.map { .watch(match: $0) } ?? request
  }

  /// Whether the program has missed nothing that a snapshot shows. It would answer twice.
  func knows(_ snapshot: MatchSnapshot) -> Bool {
    isPlayed && snapshot.seq == seq && snapshot.match == id
  }

  /// Takes an event that the program gets.
  mutating func note(_ event: Event) {
    switch event {
    case .match(let event):
      seq = event.seq
      switch event.body {
      case .gameDidStart(let state): didBegin(event.match, state)
      case .matchDidEnd: end()
      case .gameDidEnd(_, let score): games = score.games
      case .boardDidChange, .presenceDidChange, .didSay: break
      }
    case .unknown(_?, let seq?): self.seq = seq
    case .matchSnapshot(let snapshot):
      seq = snapshot.seq
      didBegin(snapshot.match, snapshot.state)
    case .didLeave: end()
    case .didCancel: request = nil
    default: break
    }
  }

  /// Whether an event shows that a move of the program was carried out, or never will be.
  func isSettled(by event: Event) -> Bool {
    guard case .match(let event) = event else { return seq == 0 }
    return switch event.body {
    case .boardDidChange(let change, _): change.turn == mark
    case .gameDidStart, .gameDidEnd, .matchDidEnd: true
    case .presenceDidChange, .didSay: false
    }
  }

  private mutating func didBegin(_ match: String, _ state: GameState) {
    request = nil
    id = match
    games = state.score.games
    mark = state.you
    watched = state.you == nil ? match : nil
  }

  private mutating func end() { (seq, id, watched, mark, games) = (0, nil, nil, nil, 0) }
}

extension MatchSnapshot {
  /// The number of games of the match before the one that it shows.
  var gamesBefore: Int { state.score.games - (outcome == nil ? 0 : 1) }
}
