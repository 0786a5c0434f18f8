import RIBs

/// Shows the score, and waits for a command.
final class OffGameView: OffGameViewControllable {
  weak var listener: (any OffGamePresentableListener)?
  private let console: Console
  private let players: Players

  init(console: Console, players: Players) {
    self.console = console
    self.players = players
  }

  func show(_ score: Score) {
    console.say("\(players.x) \(score.x) : \(score.o) \(players.o)")
    askForCommand()
  }

  private func askForCommand() {
    console.say("Type start or logout.")
  }
}

extension OffGameView: ConsoleView {
  func didType(_ line: String) {
    switch line {
    case "start": listener?.start()
    case "logout": listener?.logOut()
    default: askForCommand()
    }
  }
}
