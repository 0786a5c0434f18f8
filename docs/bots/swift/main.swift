import Foundation

/// What the command line says.
struct Options {
  static let usage = """
    Usage: bot HOST:PORT [--name NAME] [--opponent bot|anyone|NAME] [--game GAME] [--games N]
      [--state FILE]
    FILE keeps the token for the next run. The first line of the file TICTACTOE_PASSWORD_FILE is the password of a registered name.

    """

  let server: Address
  let name: String?
  let password: String?
  let opponent, game: String
  let games: Int
  private let state: String?

  init?(_ arguments: [String]) {
    guard let server = arguments.first.flatMap(Address.init) else { return nil }
    var values: [String: String] = [:]
    var rest = arguments.dropFirst()
    while let option = rest.popFirst() {
      guard ["--name", "--opponent", "--game", "--games", "--state"].contains(option) else {
        return nil
      }
      guard let value = rest.popFirst() else { return nil }
      values[option] = value
    }
    guard let games = Int(values["--games"] ?? "1") else { return nil }
    self.server = server
    self.games = games
    state = values["--state"]
    name = values["--name"]
    opponent = values["--opponent"] ?? "bot"
    game = values["--game"] ?? "tictactoe"
    let file = ProcessInfo.processInfo.environment["TICTACTOE_PASSWORD_FILE"]
    let text = file.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    password = text.flatMap { $0.split(separator: "\n").first.map(String.init) }
  }

  /// The token that an earlier run of this program has left; `nil` without one.
  var keptToken: String? { state.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } }

  /// Keeps a token for the next run. A disk that is full only spoils that.
  func keep(_ token: String?) {
    guard let state, let token else { return }
    try? token.write(toFile: state, atomically: true, encoding: .utf8)
  }
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  FileHandle.standardError.write(Data(Options.usage.utf8))
  exit(64)
}
exit(Bot(options).run())
