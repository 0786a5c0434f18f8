import Shared

/// The other end of a stored match: nobody. A match sends something only because an event does not
/// fit, or because a view has tried to move.
final class ReplayConnection: MatchConnection {
  private let timers: any Timers
  /// Whether an event has not fitted.
  var isDamaged = false

  init(timers: any Timers) {
    self.timers = timers
  }

  var now: Duration { timers.now }

  func send(_ command: Command, answer: @escaping (Event?) -> Void) {
    switch command {
    case .sync: isDamaged = true
    default: answer(.error(.spectator))
    }
  }

  func close(_ failure: LinkError) {
    isDamaged = true
  }
}

extension Event {
  /// The event without the times of the people who played: they mean nothing to a viewer.
  var withoutTimes: Event {
    guard case .match(let event) = self else { return self }
    let body: MatchEvent.Body
    switch event.body {
    case .gameDidStart(let state):
      body = .gameDidStart(
        GameState(
          game: state.game, players: state.players, board: state.board, score: state.score,
          level: state.level))
    case .boardDidChange(let change, _): body = .boardDidChange(change)
    case .presenceDidChange(let mark, let online, _):
      body = .presenceDidChange(mark, online: online)
    case .gameDidEnd, .matchDidEnd, .didSay: return self
    }
    return .match(MatchEvent(match: event.match, seq: event.seq, body))
  }
}
