import Shared

/// One set of views for the whole tree: plain lines, or a full screen. Each call makes a view for
/// one RIB; which set it is from, only the program knows.
protocol Views: AnyObject {
  func makeRootView() -> any RootViewControllable
  func makeLoggedOutView() -> any LoggedOutViewControllable
  /// `names` are those of the people here; `lastGame` is one that has just ended.
  func makeOffGameView(names: [String], lastGame: LastGame?) -> any OffGameViewControllable
  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable
}
