/// A command of a client. The session and the game decide whether it is allowed now.
package enum Command: Equatable, Sendable {
  case login(name: String?, password: String?)
  /// Makes the session's name the player's own. `old` is the present password of a name that is
  /// registered already. Each `password` is one that `isPassword` allows.
  case register(password: String, old: String?)
  case unregister(password: String)
  /// `seq`, here and below, is the number of the last event that the client has. It is not
  /// negative.
  case resume(token: String, seq: Int?)
  /// No `opponent` means anyone. No `game` means `defaultGame` or, between games, the game of the
  /// match. `level` is for the opponent `bot` only; `nil` means `hard` or, between games, the last
  /// level.
  case start(opponent: String?, game: String?, level: BotLevel? = nil)
  /// No `game` means `defaultGame`.
  case open(game: String?)
  case join(code: String)
  case cancel
  /// No `opponent` means the one whose invitation stands.
  case decline(opponent: String?)
  /// The cell need not be on the board.
  case place(Cell, seq: Int?)
  case resign
  case leave
  /// 1 to `maxMessageLength` characters, none of them a control character.
  case say(String)
  case watch(match: String)
  case list(Listing)
  /// No `player` means everyone. With `before`, only games with a smaller `id`.
  case history(player: String?, before: Int?)
  /// No `game` means `defaultGame`.
  case leaderboard(game: String?)
  /// The events after `seq` of a match that is over; `nil` means all.
  case replay(match: String, seq: Int?)
  case sync(seq: Int?)
  /// The board as text. Only people ask for it: it is no command in JSON.
  case board
  case ping
  /// `nil` means all commands.
  case help(HelpTopic?)
  case quit

  /// The `game` of a `start` or `open` that names none.
  package static let defaultGame = "tictactoe"

  package static func isPassword(_ text: String) -> Bool {
    text.isVisible(ofLength: ProtocolLimits.passwordLength)
  }

  package var type: CommandType {
    switch self {
    case .login: .login
    case .register: .register
    case .unregister: .unregister
    case .resume: .resume
    case .start: .start
    case .open: .open
    case .join: .join
    case .cancel: .cancel
    case .decline: .decline
    case .place: .place
    case .resign: .resign
    case .leave: .leave
    case .say: .say
    case .watch: .watch
    case .list: .list
    case .history: .history
    case .leaderboard: .leaderboard
    case .replay: .replay
    // It counts as what it is for programs.
    case .sync, .board: .sync
    case .ping: .ping
    case .help: .help
    case .quit: .quit
    }
  }
}

/// The commands of this version, in the order of the protocol's table. To add one, add a case here
/// and in `Command`, and its `CommandSpec`.
package enum CommandType: String, CaseIterable, Sendable {
  case login, register, unregister, resume, start, open, join, cancel, decline, place, resign, leave
  case say, watch, list, history, leaderboard, replay, sync, ping, help, quit
}

/// The lists that `list` can return. The raw values are those of the wire.
package enum Listing: String, CaseIterable, Sendable {
  case players, matches, games
}

/// The `id` of a command. The reply to the command has the same value as `re`.
package enum RequestID: Hashable, Sendable {
  /// From −`maxInteger` to `maxInteger`; see `ProtocolLimits`.
  case integer(Int)
  /// 1 to `maxIDLength` characters.
  case text(String)
}

/// A decoded line of a client.
package struct Request: Equatable, Sendable {
  /// `nil` if the reply has no `re`.
  package let id: RequestID?
  package let command: Command
  /// What the reply says about fields that are probably misspelled; `nil` if none is.
  package let hint: String?

  package init(id: RequestID? = nil, _ command: Command, hint: String? = nil) {
    self.id = id
    self.command = command
    self.hint = hint
  }
}

/// A decoded line of the server.
package struct ReceivedEvent: Equatable, Sendable {
  /// The `id` of the command to which this replies; `nil` if there is none.
  package let re: RequestID?
  package let event: Event

  package init(re: RequestID? = nil, _ event: Event) {
    self.re = re
    self.event = event
  }
}

extension String {
  /// Whether the text has a number of characters in a range, and none of them is a control
  /// character.
  func isVisible(ofLength length: ClosedRange<Int>) -> Bool {
    length.contains(unicodeScalars.count)
      && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
