import Shared

/// What the operators at a socket may do.
enum AdminAccess {
  case everything
  /// Only what changes nothing, and shows nothing of people but what the lists have.
  case reading

  /// - Throws: `unavailable` if a command is not allowed. Of `all`, its own command counts too.
  func check(_ command: AdminCommand) throws(CommandError) {
    switch self {
    case .everything: return
    case .reading where command.isReading: return
    case .reading:
      let names = AdminCommand.allCases.filter { $0.isReading && $0 != .quit }.map(\.rawValue)
      throw CommandError(
        .unavailable,
        "This socket is for reading, so \(command.rawValue) is refused. It takes:"
          + " \(names.joined(separator: ", ")). For the others, use the operator's socket.")
    }
  }
}
