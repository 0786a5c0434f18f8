import Shared

extension ProgramSession {
  /// What to do with a line of the server.
  enum Reception: Equatable {
    /// The program gets this line, or the line as it is if there is none. The event is for the
    /// person as well, if it is an `error` or a `bye`.
    case line([UInt8]?, Event? = nil)
    /// The program does not get the line.
    case hidden
    /// The server has repeated all that stands. These lines are sent next.
    case repeated([[UInt8]])
    /// The program does not get the line: the name of its login is taken, perhaps by the session of
    /// the lost connection. The login with this id is sent again in a second.
    case refused(RequestID)
  }

  enum State {
    case settled
    /// The command with this id begins the session, or resumes an earlier one. The program's lines
    /// wait.
    case entering(RequestID)
    /// The session moves, or has lost its connection.
    case moving
    /// The session has been resumed on another connection, where the server repeats what stands
    /// until it replies to the command with this id.
    case repeating(RequestID)
  }

  /// A command of the program, which waits for its reply.
  struct Sent {
    let id: RequestID
    /// Whether the program does not know the id.
    let isOwn: Bool
    var command: Command
    let line: [UInt8]
    /// The match in which the program was; `nil` without one.
    let match: String?
    /// Whether an event without `re` is the reply, because the session has moved since.
    var awaitsEvent = false
    /// The program's `login`, for which `line` tries to resume an earlier session first.
    var login: Login?
    /// Whether the program does not know the command, because it repeats an earlier one.
    var isRepeated = false
    /// Whether it was sent before a connection was lost, and may have been carried out then.
    var isSentAgain = false

    struct Login {
      let command: Command
      let line: [UInt8]
    }

    /// The line that repeats the command. A password that was set meanwhile is named as the old
    /// one, which a server ignores for a name that is not registered.
    var lineForRepetition: [UInt8] {
      guard case .register(let password, nil) = command else { return line }
      return ProgramLine.command(.register(password: password, old: password), id)
    }
  }
}

extension [ProgramSession.Sent] {
  /// A password that may be that of the name, because the reply to its `register` was lost.
  var doubtfulPassword: String? {
    for sent in self { if case .register(let password, _) = sent.command { return password } }
    return nil
  }

  /// A snapshot of another match shows that the one before it is over, and with it what the program
  /// wanted to do there.
  mutating func forgetCommands(before event: Event) {
    guard case .matchSnapshot(let snapshot) = event else { return }
    removeAll { sent in
      sent.command.isForMatch && sent.match.map { $0 != snapshot.match } ?? false
    }
  }

  /// Returns the lines of a part of the commands, which are sent on another connection.
  mutating func sendAgain(_ range: some RangeExpression<Int>) -> [[UInt8]] {
    range.relative(to: self).filter { !self[$0].awaitsEvent }.map { index in
      self[index].isSentAgain = true
      return self[index].lineForRepetition
    }
  }
}
