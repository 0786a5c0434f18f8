import Shared

/// One set of views for the whole tree: plain lines, or a full screen. Each call makes a view for
/// one RIB; which set it is from, only the program knows.
protocol ViewFactory: AnyObject {
  func makeRootView() -> any RootViewControllable
  func makeLoggedOutView() -> any LoggedOutViewControllable
  /// `names` are those of the people here; `lastGame` is one that has just ended.
  func makeOffGameView(names: [String], lastGame: LastGame?) -> any OffGameViewControllable
  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable
}

/// Plain lines on a console.
final class PlainViewFactory: ViewFactory {
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

/// Views that fill the screen.
final class ScreenViewFactory: ViewFactory {
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
