import Shared

/// Makes the views of the whole tree, for plain lines or for the full screen. Only the program
/// knows which. Each call makes the view of one RIB.
protocol ViewFactory: AnyObject, LoggedOutViewMaking, OffGameViewMaking, AccountViewMaking,
  HistoryViewMaking, LeaderboardViewMaking, ReplayViewMaking
{
  func makeRootView() -> any RootViewControllable
  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable
}
