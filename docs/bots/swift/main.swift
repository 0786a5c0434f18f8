import Foundation

/// What the command line says.
struct Options {
  static let usage = """
    Usage: bot HOST:PORT [--name NAME] [--opponent bot|anyone|NAME] [--game GAME] [--games N]
    The first line of the file TICTACTOE_PASSWORD_FILE is the password of a registered name.

    """

  let server: Address
  let name: String?
  let password: String?
  let opponent, game: String
  let games: Int

  init?(_ arguments: [String]) {
    guard let server = arguments.first.flatMap(Address.init) else { return nil }
    var values: [String: String] = [:]
    var rest = arguments.dropFirst()
    while let option = rest.popFirst() {
      guard ["--name", "--opponent", "--game", "--games"].contains(option) else { return nil }
      guard let value = rest.popFirst() else { return nil }
      values[option] = value
    }
    guard let games = Int(values["--games"] ?? "1") else { return nil }
    self.server = server
    self.games = games
    name = values["--name"]
    opponent = values["--opponent"] ?? "bot"
    game = values["--game"] ?? "tictactoe"
    let file = ProcessInfo.processInfo.environment["TICTACTOE_PASSWORD_FILE"]
    let text = file.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    password = text.flatMap { $0.split(separator: "\n").first.map(String.init) }
  }
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
  FileHandle.standardError.write(Data(Options.usage.utf8))
  exit(64)
}
exit(Bot(options).run())
