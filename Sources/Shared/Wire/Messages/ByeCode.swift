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
    case .lineTooLong: "That line is too long; a line has at most 4096 bytes."
    case .badProtocol: "This port speaks lines of JSON or words; connect with nc and type: help"
    case .tooSlow: "You did not read what was sent to you; connect again and read faster."
    case .flood: "That were too many commands at once; connect again and send fewer."
    case .takenOver: "Your session goes on in another connection."
    case .full: "There is no room now; try again later."
    case .shutdown: "The server stops; come back later."
    }
  }
}
