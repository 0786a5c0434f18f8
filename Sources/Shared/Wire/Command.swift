/// What a person asks for, as a line says it. Whether it makes sense where they are, is for the
/// session and the game to judge.
package enum Command: Equatable, Sendable {
  case login(name: String?, password: String?)
  /// `opponent` is `nil` for anyone; `game` for `defaultGame`, and between games for the match's.
  case start(opponent: String?, game: String?)
  case cancel
  /// `seq` is not negative; the cell can be anywhere.
  case place(Cell, seq: Int?)
  case resign
  case leave
  case list(Listing)
  case ping
  /// `nil`: of all commands.
  case help(CommandType?)
  case quit

  /// The `game` of a `start` that names none.
  package static let defaultGame = "tictactoe"

  package var type: CommandType {
    switch self {
    case .login: .login
    case .start: .start
    case .cancel: .cancel
    case .place: .place
    case .resign: .resign
    case .leave: .leave
    case .list: .list
    case .ping: .ping
    case .help: .help
    case .quit: .quit
    }
  }
}
