import Shared

extension LinkFailure {
  /// What the program says and ends with when its link is closed; `address` is the server's, for
  /// people.
  func farewell(from address: String) -> Farewell {
    switch self {
    case .unknownHost:
      Farewell(
        code: .noHost,
        sentence: "There is no host for \(address)."
          + " Is its name written right? A port is given with --port.")
    case .cannotConnect(let reason):
      Farewell(
        code: .unavailable,
        sentence: "Cannot connect to \(address): \(reason)."
          + " Is a tictactoe-server running there, on that port?")
    case .bye(_, let message):
      Farewell(
        code: .unavailable,
        sentence: "The server at \(address) has closed the connection: \(message.printable)")
    case .lost:
      Farewell(
        code: .unavailable,
        sentence: "The connection to \(address) is lost. To play again, start this program again.")
    case .silent:
      Farewell(
        code: .unavailable,
        sentence: "Something listens at \(address) but says nothing."
          + " Is it a tictactoe-server, and is it running?")
    case .notOurServer:
      Farewell(
        code: .unavailable,
        sentence: "What answers at \(address) is no tictactoe-server that this client understands.")
    case .outOfStep:
      Farewell(
        code: .unavailable,
        sentence: "The server's account of the game has a gap. To play again, start this program"
          + " again.")
    }
  }
}
