/// The reason why a command was refused. If several codes apply, the first in this list is sent. An
/// exception: `inMatch` with a `field` comes right before `unknownMatch`.
package enum ErrorCode: String, CaseIterable, Sendable {
  // The line.
  case badJSON, missingField, unknownType, badField
  // The server.
  case tooFast, shuttingDown, full, unavailable, `internal`
  // The session.
  case notLoggedIn, alreadyLoggedIn, badName, nameTaken, wrongPassword, unknownToken
  // The session's place.
  case alreadyWaiting, notWaiting, notInvited, inMatch, notInMatch, spectator
  // The lobby.
  case unknownGame, unknownPlayer, unknownCode, unknownMatch
  // The game.
  case noGame, stale, notYourTurn, outOfBoard, cellTaken, notOpen

  /// A sentence for a person that says what to do. Used where nothing more precise is known.
  package var message: String {
    switch self {
    case .badJSON: "This line is not a JSON object. To see the commands in words, type: help"
    case .missingField: "A field is missing. To see how the command is written, type: help"
    case .unknownType: "There is no such command. To see all commands, type: help"
    case .badField: "A field has a value that is not allowed. To see the fields, type: help"
    case .tooFast: "That was too fast. Wait a moment and try again."
    case .shuttingDown: "The server is shutting down and starts no more games. Come back later."
    case .full: "There is no room now. Try again later."
    case .unavailable: "This server keeps no accounts and no history."
    case .internal: "Something went wrong in the server. Nothing has changed. Try again."
    case .notLoggedIn: "You are not logged in. Type: login YOURNAME"
    case .alreadyLoggedIn:
      "You are already logged in. To change your name, type quit and connect again."
    case .badName:
      "A name has 1 to \(ProtocolLimits.maxNameLength) visible characters, no double quotes,"
        + " and is not bot. Choose another."
    case .nameTaken: "That name is taken. Choose another."
    case .wrongPassword: "That name is registered, and this is not its password. Try again."
    case .unknownToken: "That session is over, or its token was used. Type: login YOURNAME"
    case .alreadyWaiting: "You are already waiting for a game. To stop waiting, type: cancel"
    case .notWaiting: "You are not waiting for a game. To ask for one, type: start"
    case .notInvited: "Nobody has invited you. To ask for a game, type: start"
    case .inMatch: "You are in a match. To leave it, type: leave"
    case .notInMatch: "You are not in a match. To ask for a game, type: start"
    case .spectator: "You are only watching this match. To stop watching, type: leave"
    case .unknownGame: "There is no such game on this server. To see all games, type: list games"
    case .unknownPlayer: "There is no such player. To see who is here, type: list"
    case .unknownCode:
      "There is no such code. It may have been used. Ask your friend for a new one."
    case .unknownMatch: "There is no such match. To see all matches, type: list matches"
    case .noGame: "The game is over. To play the next game, type: start"
    case .stale: "The board has changed since then. Look at it and choose again."
    case .notYourTurn: "It is not your turn. Wait for your opponent's move."
    case .outOfBoard: "That cell is not on the board. Rows and columns count from 0."
    case .cellTaken: "That cell already has a mark."
    case .notOpen: "That cell is not open now. Choose one of the open cells."
    }
  }
}

extension ErrorCode {
  /// The code for a move that the game refused.
  package init(_ refusal: MoveError) {
    self =
      switch refusal {
      case .noGame: .noGame
      case .notYourTurn: .notYourTurn
      case .outOfBoard: .outOfBoard
      case .cellTaken: .cellTaken
      case .notOpen: .notOpen
      }
  }
}

/// Why the server closes a connection, in the order of the protocol.
package enum ByeCode: String, CaseIterable, Sendable {
  case quit, idle, loginTimeout, lineTooLong, badProtocol, tooSlow, flood, takenOver, full
  case shutdown, kicked, banned, moved

  /// A sentence for a person.
  package var message: String {
    switch self {
    case .quit: "Goodbye."
    case .idle: "You sent nothing for too long. Connect again when you like."
    case .loginTimeout: "You did not log in in time. Connect again and type: login YOURNAME"
    case .lineTooLong:
      "That line is too long. A line may have up to \(ProtocolLimits.maxCommandLine) bytes."
    case .badProtocol: "This port expects lines of JSON or words. Connect with nc and type: help"
    case .tooSlow: "You did not read what was sent to you. Connect again and read faster."
    case .flood: "You sent too many commands at once. Connect again and send fewer."
    case .takenOver: "Your session continues on another connection."
    case .full: "There is no room now. Try again later."
    case .shutdown: "The server is shutting down. Come back later."
    case .kicked: "The operator of the server has disconnected you."
    case .banned: "Your address is banned from this server."
    case .moved: "Your session continues at another server. Connect there and type: resume TOKEN"
    }
  }
}

/// The reason why a line could not be decoded. The server replies to such a line with an `error`.
package struct LineError: Error, Equatable, Sendable {
  /// `badJSON`, `missingField`, `unknownType` or `badField`.
  package let code: ErrorCode
  /// The field that is missing or bad, if there is one.
  package let field: String?
  /// The `id` of the line, if it has a valid one.
  package let id: RequestID?
  /// A sentence for a person that says what is allowed.
  package let message: String
  /// A sentence about fields that are probably misspelled; `nil` if none is.
  package let hint: String?

  /// Without a message, the error has a general one for its code and field.
  package init(
    _ code: ErrorCode, field: String? = nil, id: RequestID? = nil, message: String? = nil,
    hint: String? = nil
  ) {
    self.hint = hint
    self.code = code
    self.field = field
    self.id = id
    self.message = message ?? Self.message(code, field)
  }

  private static func message(_ code: ErrorCode, _ field: String?) -> String {
    guard let field else { return code.message }
    return switch code {
    case .missingField: "\(field) is missing. To see how the command is written, type: help"
    case .badField: "\(field) has a value that is not allowed. To see the fields, type: help"
    default: code.message
    }
  }

  /// Does not compare the messages, which are for people.
  package static func == (one: LineError, other: LineError) -> Bool {
    one.code == other.code && one.field == other.field && one.id == other.id
  }
}
