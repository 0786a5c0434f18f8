import Shared

/// Views that fill the screen.
final class ScreenViews: Views {
  private let screen: Screen

  init(screen: Screen) {
    self.screen = screen
  }

  func makeRootView() -> any RootViewControllable {
    RootView(screen: screen)
  }

  func makeLoggedOutView() -> any LoggedOutViewControllable {
    LoggedOutView(screen: screen)
  }

  func makeOffGameView(names: [String], lastGame: LastGame?) -> any OffGameViewControllable {
    OffGameView(screen: screen, names: names, lastGame: lastGame)
  }

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    TicTacToeView(screen: screen, game: game, setup: setup)
  }
}
