/// What a person asks for, as a line says it. Whether it makes sense where they are, is for the
/// session and the game to judge.
package enum Command: Equatable, Sendable {
  case login(name: String?, password: String?)
  /// `seq`, here and below, is the last event that the client has, and not negative.
  case resume(token: String, seq: Int?)
  /// `opponent` is `nil` for anyone; `game` for `defaultGame`, and between games for the match's.
  case start(opponent: String?, game: String?)
  case cancel
  /// The cell can be anywhere.
  case place(Cell, seq: Int?)
  case resign
  case leave
  /// 1 to `maxMessageLength` characters, none of them a control character.
  case say(String)
  case watch(match: String)
  case list(Listing)
  case sync(seq: Int?)
  case ping
  /// `nil`: of all commands.
  case help(CommandType?)
  case quit

  /// The `game` of a `start` that names none.
  package static let defaultGame = "tictactoe"

  package var type: CommandType {
    switch self {
    case .login: .login
    case .resume: .resume
    case .start: .start
    case .cancel: .cancel
    case .place: .place
    case .resign: .resign
    case .leave: .leave
    case .say: .say
    case .watch: .watch
    case .list: .list
    case .sync: .sync
    case .ping: .ping
    case .help: .help
    case .quit: .quit
    }
  }
}

/// The commands that this version knows, in the order of the protocol's table. What each one is
/// made of stands in its `CommandSpec`; a new command is a case here, one there and one in `Command`.
package enum CommandType: String, CaseIterable, Sendable {
  case login, resume, start, cancel, place, resign, leave, say, watch, list, sync, ping, help, quit
}

/// What `list` can list. The raw values are those of the wire.
package enum Listing: String, CaseIterable, Sendable {
  case players, matches, games
}
