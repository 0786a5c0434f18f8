import RIBs

/// Shows the score, and waits for a command.
final class OffGameView: OffGameViewControllable {
  weak var listener: (any OffGamePresentableListener)?
  private let console: Console
  private let players: Players
  private let gameNames: [String]

  init(console: Console, players: Players, gameNames: [String]) {
    self.gameNames = gameNames
    self.console = console
    self.players = players
  }

  func show(_ score: Score) {
    console.say("\(players.x) \(score.x) : \(score.o) \(players.o)")
    askForCommand()
  }

  private func askForCommand() {
    console.say("Type logout or the name of a game: " + gameNames.joined(separator: ", "))
  }
}

extension OffGameView: ConsoleView {
  func didType(_ line: String) {
    switch line {
    case "logout": listener?.logOut()
    case _ where gameNames.contains(line): listener?.choose(line)
    default: askForCommand()
    }
  }
}
