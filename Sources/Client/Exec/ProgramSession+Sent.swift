import Shared

extension ProgramSession {
  /// A command of the program, which waits for its reply.
  struct Sent {
    let id: RequestID
    /// Whether the program does not know the id.
    let isOwn: Bool
    let command: Command
    let line: [UInt8]
    /// The match in which the program was; `nil` without one.
    let match: String?
    /// Whether an event without `re` is the reply, because the session has moved since.
    var awaitsEvent = false
    /// The program's `login`, for which `line` tries to resume an earlier session first.
    var login: Login?
    /// Whether the program does not know the command, because it repeats an earlier one.
    var isRepeated = false

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
