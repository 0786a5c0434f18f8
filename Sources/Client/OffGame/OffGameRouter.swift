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

final class OffGameRouter:
  ViewableRouter<any OffGameInteractable, any OffGameViewControllable>, OffGameRouting
{
  private let accountBuilder: any AccountBuildable
  private let historyBuilder: any HistoryBuildable
  private let leaderboardBuilder: any LeaderboardBuildable
  /// `nil` if there are no accounts.
  private let accounts: (any AccountService)?
  /// `nil` if no finished games are kept.
  private let archive: (any Archive)?
  private let names: [String]
  /// The only child, whose view is on the screen.
  private lazy var current = ChildSlot(of: self, in: viewController)

  init(
    interactor: any OffGameInteractable, viewController: any OffGameViewControllable,
    accountBuilder: any AccountBuildable, historyBuilder: any HistoryBuildable,
    leaderboardBuilder: any LeaderboardBuildable, accounts: (any AccountService)?,
    archive: (any Archive)?, names: [String]
  ) {
    self.accountBuilder = accountBuilder
    self.historyBuilder = historyBuilder
    self.leaderboardBuilder = leaderboardBuilder
    self.archive = archive
    self.names = names
    self.accounts = accounts
    super.init(interactor: interactor, viewController: viewController)
  }

  var actionableItem: any OffGameActionableItem { interactor }

  func routeToAccount(_ purpose: AccountPurpose) {
    guard let accounts else { return }
    current.route(
      to: accountBuilder.build(withListener: interactor, accounts: accounts, purpose: purpose))
  }

  func routeToHistory(of owner: HistoryOwner) {
    guard let archive, let name = names.first else { return }
    current.route(
      to: historyBuilder.build(
        withListener: interactor, archive: archive, name: name, owner: owner))
  }

  func routeToLeaderboard(of game: String) {
    guard let archive else { return }
    current.route(
      to: leaderboardBuilder.build(
        withListener: interactor, archive: archive, names: names, game: game))
  }

  func detachCurrent() { current.clear() }
}
