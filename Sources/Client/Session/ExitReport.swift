import Shared

/// The end of the program: an exit code and, if something went wrong, a sentence. Thrown by what
/// cannot begin.
struct ExitReport: Error, Equatable {
  let code: ExitCode
  /// Printable, because it may quote a server.
  let sentence: String?

  init(code: ExitCode, sentence: String? = nil) {
    self.code = code
    self.sentence = sentence?.printable
  }
}

/// The address is `nil` for a person who has not chosen the server.
extension LinkError {
  /// Returns the report with which the program ends when its link fails.
  func exitReport(from address: ServerAddress?) -> ExitReport {
    let advice =
      switch self {
      case .unknownHost: address == nil ? "" : " To name a port, use --port."
      case .lost, .outOfStep: " To play again, start this program again."
      case .cannotConnect, .tls, .bye, .silent, .notOurServer: ""
      }
    let code = self == .unknownHost ? ExitCode.noHost : .unavailable
    return ExitReport(
      code: code, sentence: description(of: address) + question(about: address) + advice)
  }

  /// Returns the error that the form shows when the link fails during a login.
  func formError(at address: ServerAddress?) -> LoginFormError {
    let advice =
      switch self {
      case .lost, .outOfStep: " Try again."
      case .unknownHost, .cannotConnect, .tls, .bye, .silent, .notOurServer: ""
      }
    return LoginFormError(
      sentence: description(of: address) + question(about: address) + advice,
      needsPassword: needsNewPassword)
  }

  /// Returns a sentence about what has happened.
  func description(of address: ServerAddress?) -> String {
    let place = address?.description ?? "the server"
    let server = address.map { "The server at \($0)" } ?? "The server"
    return switch self {
    case .unknownHost:
      address.map { "There is no host for \($0). Check the spelling." }
        ?? "The server is not found."
    case .cannotConnect(let reason):
      "Cannot connect to \(place): \(reason)."
    case .tls(let error):
      address.map { error.sentence(for: $0.description, .client) }
        ?? "The server cannot be reached over TLS."
    case .bye(.kicked, let message, _):
      message
    case .bye(_, let message, _):
      "\(server) has closed the connection: \(message)"
    case .lost:
      "The connection to \(place) is lost."
    case .silent:
      "\(server) does not answer."
    case .notOurServer:
      (address.map { "The program at \($0)" } ?? server)
        + " is not a tictactoe-server that this client understands."
    case .outOfStep:
      "The server's events contradict each other."
    }
  }

  /// Returns what somebody should check who has chosen the server.
  private func question(about address: ServerAddress?) -> String {
    guard let address else { return "" }
    return switch self {
    case .cannotConnect: " Is a tictactoe-server running there, on that port?"
    case .silent:
      " Is it a tictactoe-server, and is it running?"
        + (address.usesTLS ? "" : " If that port uses TLS, connect with --tls.")
    case .unknownHost, .tls, .bye, .lost, .notOurServer, .outOfStep: ""
    }
  }
}
