import RIBs

final class RandomWinView: RandomWinViewControllable {
  weak var listener: (any RandomWinPresentableListener)?
  private let console: Console
  private let players: Players

  init(console: Console, players: Players) {
    self.console = console
    self.players = players
  }

  func askForToss() {
    console.say("Press Enter to toss a coin.")
  }

  func announce(_ winner: Mark) {
    console.say("The coin is for \(players[winner]).")
  }
}

extension RandomWinView: ConsoleView {
  func didType(_ line: String) {
    listener?.tossCoin()
  }
}
