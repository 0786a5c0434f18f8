import Shared

extension LinkFailure {
  /// What the program says and ends with when its link is closed.
  func farewell(from address: ServerAddress) -> Farewell {
    let advice =
      switch self {
      case .unknownHost: " A port is given with --port."
      case .lost, .outOfStep: " To play again, start this program again."
      case .cannotConnect, .bye, .silent, .notOurServer: ""
      }
    let code = self == .unknownHost ? ExitCode.noHost : .unavailable
    return Farewell(code: code, sentence: report(from: address) + advice)
  }

  /// What the form says when a login ends with its link.
  func refusal(from address: ServerAddress) -> LoginRefusal {
    let advice =
      switch self {
      case .lost, .outOfStep: " Try it again."
      case .unknownHost, .cannotConnect, .bye, .silent, .notOurServer: ""
      }
    return LoginRefusal(sentence: report(from: address) + advice)
  }

  private func report(from address: ServerAddress) -> String {
    switch self {
    case .unknownHost:
      "There is no host for \(address). Check the spelling."
    case .cannotConnect(let reason):
      "Cannot connect to \(address): \(reason). Is a tictactoe-server running there, on that port?"
    case .bye(_, let message, _):
      "The server at \(address) has closed the connection: \(message)"
    case .lost:
      "The connection to \(address) is lost."
    case .silent:
      "Something listens at \(address) but says nothing."
        + " Is it a tictactoe-server, and is it running?"
    case .notOurServer:
      "What answers at \(address) is no tictactoe-server that this client understands."
    case .outOfStep:
      "The server's account of the game has a gap."
    }
  }
}
