import RIBs

final class ChampionView: ChampionViewControllable {
  weak var listener: (any ChampionPresentableListener)?
  private let console: Console

  init(console: Console) {
    self.console = console
  }

  func show(_ name: String) {
    console.say("\(name) is the champion. Press Enter to log out.")
  }
}

extension ChampionView: ConsoleView {
  func didType(_ line: String) {
    listener?.leave()
  }
}
