import Shared

/// What `ProgramSession` asks of commands and events.
extension Command {
  var isMove: Bool { if case .place = self { true } else { false } }

  /// Whether a reply is the last one. The end of a game is a reply to what ends the match, too, and
  /// that of the match to `quit`.
  func isDone(by reply: Event) -> Bool {
    guard case .match(let event) = reply else { return true }
    return switch (self, event.body) {
    case (.quit, _), (.leave, .gameDidEnd): false
    default: true
    }
  }

  /// Whether a command means the match in which the player is.
  var isForMatch: Bool {
    switch self {
    case .place, .resign, .leave, .say: true
    default: false
    }
  }

  /// Whether a command means the game that is being played.
  var isForGame: Bool {
    switch self {
    case .place, .resign: true
    default: false
    }
  }

  var beginsSession: Bool {
    switch self {
    case .login, .resume: true
    default: false
    }
  }
}

extension ByeCode {
  /// Whether the server has closed the connection for a reason of its own, and the session may
  /// continue. What the program has done wrong, it has to hear of.
  var mayContinue: Bool {
    switch self {
    case .full, .shutdown, .idle: true
    case .quit, .loginTimeout, .lineTooLong, .badProtocol, .tooSlow, .flood, .takenOver, .kicked,
      .banned, .moved:
      false
    }
  }
}

extension Event {
  /// Whether a person should see the event, which the program may not show.
  var isForPerson: Bool {
    switch self {
    case .error, .bye: true
    default: false
    }
  }
}
