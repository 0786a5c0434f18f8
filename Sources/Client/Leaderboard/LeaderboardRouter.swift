import RIBs
import Shared

/// The interactor, as its router sees it.
protocol LeaderboardInteractable: Interactable {
  var listener: (any LeaderboardListener)? { get set }
}

protocol LeaderboardViewControllable: ViewControllable, LeaderboardPresentable {}

/// Leaderboard, as OffGame sees it.
protocol LeaderboardRouting: ViewableRouting {}

final class LeaderboardRouter:
  ViewableRouter<any LeaderboardInteractable, any LeaderboardViewControllable>,
  LeaderboardRouting
{}
