import RIBs
import Shared

/// The interactor, as its router sees it.
protocol OffGameInteractable: Interactable, OffGameActionableItem, AccountListener,
  HistoryListener, LeaderboardListener
{
  var router: (any OffGameRouting)? { get set }
  var listener: (any OffGameListener)? { get set }
}

/// The view of OffGame. It shows the view of a child instead of its own content.
protocol OffGameViewControllable: ViewContaining, OffGamePresentable {}

struct OffGameChildBuilders {
  let account: any AccountBuildable
  let history: any HistoryBuildable
  let leaderboard: any LeaderboardBuildable
}

final class OffGameRouter:
  ViewableRouter<any OffGameInteractable, any OffGameViewControllable>, OffGameRouting
{
  private let builders: OffGameChildBuilders
  /// `nil` if there are no accounts.
  private let accounts: (any AccountService)?
  /// `nil` if no finished games are kept.
  private let finishedGames: (any FinishedGames)?
  private let names: [String]
  /// The only child, whose view is on the screen.
  private lazy var current = ChildSlot(of: self, in: viewController)

  init(
    interactor: any OffGameInteractable, viewController: any OffGameViewControllable,
    builders: OffGameChildBuilders, accounts: (any AccountService)?,
    finishedGames: (any FinishedGames)?,
    names: [String]
  ) {
    self.builders = builders
    self.finishedGames = finishedGames
    self.names = names
    self.accounts = accounts
    super.init(interactor: interactor, viewController: viewController)
  }

  var actionableItem: any OffGameActionableItem { interactor }

  func routeToAccount(_ purpose: AccountPurpose) {
    guard let accounts else { return }
    current.route(
      to: builders.account.build(withListener: interactor, accounts: accounts, purpose: purpose))
  }

  func routeToHistory(of owner: HistoryOwner) {
    guard let finishedGames, let name = names.first else { return }
    current.route(
      to: builders.history.build(
        withListener: interactor, finishedGames: finishedGames, name: name, owner: owner))
  }

  func routeToLeaderboard(of game: String) {
    guard let finishedGames else { return }
    current.route(
      to: builders.leaderboard.build(
        withListener: interactor, finishedGames: finishedGames, names: names, game: game))
  }

  func detachCurrent() { current.clear() }
}
