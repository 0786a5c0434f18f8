import Shared

/// The commands of a session that moves to another server. They wait until the session continues
/// there. Then an event that shows that a command was carried out answers it; all others are sent
/// again.
struct WaitingCommands {
  private var commands: [UnansweredCommands.Unanswered] = []

  var count: Int { commands.count }

  mutating func add(_ command: Command, answer: @escaping UnansweredCommands.Answer) {
    commands.append((command, answer))
  }

  /// Removes the first command that an event answers, and returns its closure; `nil` if there is
  /// none.
  mutating func take(answeredBy event: Event) -> UnansweredCommands.Answer? {
    take { $0.isAnswered(by: event) }
  }

  /// Removes the first command for which a condition is true, and returns its closure.
  mutating func take(_ condition: (Command) -> Bool) -> UnansweredCommands.Answer? {
    commands.firstIndex { condition($0.command) }.map { commands.remove(at: $0).answer }
  }

  mutating func takeAll() -> [UnansweredCommands.Unanswered] {
    defer { commands = [] }
    return commands
  }
}

extension GameState {
  /// Whether the player of this state has a mark in a cell.
  fileprivate func hasOwnMark(at cell: Cell) -> Bool {
    board.shape.contains(cell) && you != nil && board[cell] == you
  }
}

extension Command {
  /// Whether a command waits while its session moves. All others need no session, or begin one.
  var needsSession: Bool {
    switch self {
    case .login, .resume, .ping, .help, .quit: false
    case .register, .unregister, .start, .open, .join, .cancel, .decline, .place, .resign, .leave,
      .say, .watch, .list, .history, .leaderboard, .replay, .sync, .board:
      true
    }
  }

  /// Whether a command asks for a match, which a session gets only once.
  var asksForMatch: Bool {
    switch self {
    case .start, .open, .join, .watch: true
    default: false
    }
  }

  /// Whether an event without `re`, at the server to which the session has moved, shows that the
  /// command was carried out at the old one or on the way.
  func isAnswered(by event: Event) -> Bool {
    switch (self, event) {
    case (.start, .didQueue), (.open, .didQueue), (.cancel, .didCancel), (.leave, .didLeave),
      (.watch, .matchSnapshot):
      true
    case (.start, .matchSnapshot(let snapshot)), (.join, .matchSnapshot(let snapshot)):
      snapshot.outcome == nil
    case (.place(let cell, _), .matchSnapshot(let snapshot)):
      snapshot.state.hasOwnMark(at: cell)
    case (.resign, .matchSnapshot(let snapshot)):
      snapshot.outcome != nil
    case (.decline(let opponent), .invitationDidEnd(let from, _)):
      opponent == nil || opponent == from
    case (_, .match(let event)):
      isAnswered(by: event.body)
    default:
      false
    }
  }

  private func isAnswered(by event: MatchEvent.Body) -> Bool {
    switch (self, event) {
    case (.start, .gameDidStart), (.open, .gameDidStart), (.join, .gameDidStart),
      (.resign, .gameDidEnd), (.leave, .matchDidEnd):
      true
    case (.place(let cell, _), .boardDidChange(let change, _)):
      change.placement.cell == cell
    case (.say(let text), .didSay(_, _, let said)):
      text == said
    default:
      false
    }
  }
}
