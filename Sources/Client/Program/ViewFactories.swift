import Shared

/// Makes views of plain lines on a console.
final class PlainViewFactory: ViewFactory {
  private let console: Console
  private let greeting = LobbyGreeting()

  init(console: Console) {
    self.console = console
  }

  func makeRootView() -> any RootViewControllable { PlainRootView(console: console) }
  func makeLoggedOutView() -> any LoggedOutViewControllable { PlainLoggedOutView(console: console) }
  func makeOffGameView(names: [String], lastGame: LastGame?) -> any OffGameViewControllable {
    PlainOffGameView(console: console, names: names, greeting: greeting)
  }
  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    PlainTicTacToeView(console: console, game: game, setup: setup)
  }
  func makeAccountView() -> any AccountViewControllable { PlainAccountView(console: console) }
  func makeReplayView() -> any ReplayViewControllable { PlainReplayView(console: console) }
  func makeHistoryView() -> any HistoryViewControllable { PlainHistoryView(console: console) }
  func makeLeaderboardView(names: [String]) -> any LeaderboardViewControllable {
    PlainLeaderboardView(console: console)
  }
}

/// Makes views that fill the screen.
final class ScreenViewFactory: ViewFactory {
  private let screen: Screen

  init(screen: Screen) {
    self.screen = screen
  }

  func makeRootView() -> any RootViewControllable { RootView(screen: screen) }
  func makeLoggedOutView() -> any LoggedOutViewControllable { FormView(screen: screen) }
  func makeOffGameView(names: [String], lastGame: LastGame?) -> any OffGameViewControllable {
    OffGameView(screen: screen, names: names, lastGame: lastGame)
  }
  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    TicTacToeView(screen: screen, game: game, setup: setup)
  }
  func makeAccountView() -> any AccountViewControllable { FormView(screen: screen) }
  func makeReplayView() -> any ReplayViewControllable { ReplayView(screen: screen) }
  func makeHistoryView() -> any HistoryViewControllable { HistoryView(screen: screen) }
  func makeLeaderboardView(names: [String]) -> any LeaderboardViewControllable {
    LeaderboardView(screen: screen, names: names)
  }
}
