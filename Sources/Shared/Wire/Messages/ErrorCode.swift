/// Why a command was refused. Where several fit, the first of this list is sent; `inMatch` stands
/// among the places, and once more, with a `field`, before `unknownMatch`.
package enum ErrorCode: String, CaseIterable, Sendable {
  // The line.
  case badJSON, missingField, unknownType, badField
  // The server.
  case tooFast, shuttingDown, full, `internal`
  // The session.
  case notLoggedIn, alreadyLoggedIn, badName, nameTaken, wrongPassword, unknownToken
  // The place.
  case alreadyWaiting, notWaiting, inMatch, notInMatch, spectator
  // The lobby.
  case unknownGame, unknownPlayer, unknownMatch
  // The game.
  case noGame, stale, notYourTurn, outOfBoard, cellTaken

  /// A sentence for a person that says what to do, for where nothing better is known.
  package var message: String {
    switch self {
    case .badJSON: "This line is no JSON object that can be read; in words it is easier, type: help"
    case .missingField: "Something is missing; to see how it is written, type: help"
    case .unknownType: "There is no such command; to see all of them, type: help"
    case .badField: "Something is too much or not as it should be; to see how, type: help"
    case .tooFast: "That was too fast; wait a moment and try again."
    case .shuttingDown: "The server is about to stop and starts no more games; come back later."
    case .full: "There is no room now; try again later."
    case .internal: "Something went wrong in the server; nothing has changed, try again."
    case .notLoggedIn: "First take a name, type: login YOURNAME"
    case .alreadyLoggedIn: "You are logged in; to change your name, type quit and come back."
    case .badName:
      "A name is 1 to \(ProtocolLimits.maxNameLength) visible characters, without double quotes,"
        + " and not bot; choose another."
    case .nameTaken: "Somebody has that name; choose another."
    case .wrongPassword: "That name is registered and this is not its password; try again."
    case .unknownToken: "That session is over, or the token was used; type: login YOURNAME"
    case .alreadyWaiting: "You are waiting already; to stop that, type: cancel"
    case .notWaiting: "You are not waiting for a game; to ask for one, type: start"
    case .inMatch: "You are in a match; to get out of it, type: leave"
    case .notInMatch: "You are in no match; to ask for a game, type: start"
    case .spectator: "You only watch this match; to stop that, type: leave"
    case .unknownGame: "There is no such game here; to see all of them, type: list games"
    case .unknownPlayer: "There is no such player to play with; to see who is here, type: list"
    case .unknownMatch: "There is no such match; to see all of them, type: list matches"
    case .noGame: "The game is over; to play the next one, type: start"
    case .stale: "The board has changed since; look at it and choose again."
    case .notYourTurn: "It is not your turn; wait for your opponent's move."
    case .outOfBoard: "That cell is not on the board; rows and columns count from 0."
    case .cellTaken: "That cell already has a mark."
    }
  }
}

extension ErrorCode {
  /// The code that answers a move which the game refused.
  package init(_ refusal: MoveError) {
    self =
      switch refusal {
      case .noGame: .noGame
      case .notYourTurn: .notYourTurn
      case .outOfBoard: .outOfBoard
      case .cellTaken: .cellTaken
      }
  }
}

/// Why the server closes a connection, in the order of the protocol.
package enum ByeCode: String, CaseIterable, Sendable {
  case quit, idle, loginTimeout, lineTooLong, badProtocol, tooSlow, flood, takenOver, full
  case shutdown

  /// A sentence for a person.
  package var message: String {
    switch self {
    case .quit: "Goodbye."
    case .idle: "Nothing came from you for too long; connect again when you like."
    case .loginTimeout: "You did not log in in time; connect again and type: login YOURNAME"
    case .lineTooLong:
      "That line is too long; a line has at most \(ProtocolLimits.maxCommandLine) bytes."
    case .badProtocol: "This port speaks lines of JSON or words; connect with nc and type: help"
    case .tooSlow: "You did not read what was sent to you; connect again and read faster."
    case .flood: "That were too many commands at once; connect again and send fewer."
    case .takenOver: "Your session goes on in another connection."
    case .full: "There is no room now; try again later."
    case .shutdown: "The server stops; come back later."
    }
  }
}

/// Why a line could not be read; to a client that sent it, answered as an `error`.
package struct LineError: Error, Equatable, Sendable {
  /// `badJSON`, `missingField`, `unknownType` or `badField`.
  package let code: ErrorCode
  /// The field that is missing or bad, where there is one.
  package let field: String?
  /// The `id` of the line, where it has a good one.
  package let id: RequestID?

  package init(_ code: ErrorCode, field: String? = nil, id: RequestID? = nil) {
    self.code = code
    self.field = field
    self.id = id
  }

  /// A sentence for a person that says what to do.
  package var message: String {
    guard let field else { return code.message }
    return switch code {
    case .missingField: "The field \(field) is missing; to see how it is written, type: help"
    case .badField: "The field \(field) is no good as it is; to see how it is written, type: help"
    default: code.message
    }
  }
}
