import Shared

/// What a program knows of requests, invitations and announcements, which a server repeats on a new
/// connection.
struct StandingEvents {
  /// The number of events that are remembered.
  static let maxCount = 64

  /// Without the times that differ when a server repeats them.
  private var events: [Event] = []
  /// What the server has repeated so far.
  private var repeated: [Event] = []

  func contains(_ event: Event) -> Bool { events.contains(event.standing) }

  /// The game of an invitation that stands; `nil` if there is none from that player.
  func gameOfInvitation(from name: String) -> String? {
    for case .invited(name, let game, _) in events { return game }
    return nil
  }

  /// The server begins to repeat what stands.
  mutating func willRepeat() { repeated = [] }

  mutating func didRepeat(_ event: Event) { repeated.append(event.standing) }

  /// Returns events which say that what the server has not repeated is over. `asksAgain` is whether
  /// the program's own request is made again.
  mutating func takeEnded(asksAgain: Bool) -> [Event] {
    let ended = events.compactMap { event -> Event? in
      if repeated.contains(event) { return nil }
      return switch event {
      case .invited(let from, let game, _): .invitationDidEnd(from: from, game: game)
      case .didQueue where !asksAgain: .didCancel()
      default: nil
      }
    }
    for event in ended { note(event) }
    return ended
  }

  /// Takes an event that the program gets.
  mutating func note(_ event: Event) {
    let event = event.standing
    switch event {
    case .didQueue:
      removeRequest()
      add(event)
    case .didCancel, .didLeave:
      removeRequest()
    case .match(let event):
      switch event.body {
      case .gameDidStart, .matchDidEnd: removeRequest()
      case .boardDidChange, .gameDidEnd, .presenceDidChange, .didSay: break
      }
    case .matchSnapshot(let snapshot) where snapshot.outcome == nil:
      removeRequest()
    case .invited, .announcement, .spectatorsDidChange:
      events.removeAll { $0 == event }
      add(event)
    case .invitationDidEnd(let from, let game):
      events.removeAll { $0 == .invited(from: from, game: game) }
    default:
      break
    }
  }

  private mutating func removeRequest() {
    events.removeAll { if case .didQueue = $0 { true } else { false } }
  }

  private mutating func add(_ event: Event) {
    events = events.suffix(Self.maxCount - 1) + [event]
  }
}

extension Event {
  /// The event without the times that differ when a server repeats it.
  fileprivate var standing: Event {
    switch self {
    case .didQueue(let game, let opponent, let code, _):
      .didQueue(game: game, opponent: opponent, code: code)
    case .invited(let from, let game, _): .invited(from: from, game: game)
    case .announcement(let text, _): .announcement(text: text)
    default: self
    }
  }
}
