import Shared

/// Plain lines on a console.
final class PlainViews: Views {
  private let console: Console

  init(console: Console) {
    self.console = console
  }

  func makeRootView() -> any RootViewControllable {
    PlainRootView(console: console)
  }

  func makeLoggedOutView() -> any LoggedOutViewControllable {
    PlainLoggedOutView(console: console)
  }

  func makeOffGameView(names: [String], lastGame: LastGame?) -> any OffGameViewControllable {
    PlainOffGameView(console: console, names: names)
  }

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    PlainTicTacToeView(console: console, setup: setup)
  }
}
