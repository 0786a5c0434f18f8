import RIBs
import Shared

/// The interactor, as its router sees it.
protocol RootInteractable: Interactable, LoggedOutListener, OffGameListener, GameListener,
  ReplayListener
{
  var router: (any RootRouting)? { get set }
  var listener: (any RootListener)? { get set }
}

/// The root's view, as its router sees it.
protocol RootViewControllable: ViewContaining, RootPresentable {}

final class RootRouter: LaunchRouter<any RootInteractable, any RootViewControllable>, RootRouting {
  private let loggedOutBuilder: any LoggedOutBuildable
  private let offGameBuilder: any OffGameBuildable
  private let replayBuilder: any ReplayBuildable
  private let gameDependency: any TicTacToeDependency
  /// The only child but a replay. Its view is on the screen, unless there is a replay.
  private lazy var current = ChildSlot(of: self, in: viewController)
  /// The replay on the screen.
  private lazy var replay = ChildSlot(of: self, in: viewController)

  init(
    interactor: any RootInteractable, viewController: any RootViewControllable,
    loggedOutBuilder: any LoggedOutBuildable, offGameBuilder: any OffGameBuildable,
    replayBuilder: any ReplayBuildable, gameDependency: any TicTacToeDependency
  ) {
    self.replayBuilder = replayBuilder
    self.loggedOutBuilder = loggedOutBuilder
    self.offGameBuilder = offGameBuilder
    self.gameDependency = gameDependency
    super.init(interactor: interactor, viewController: viewController)
  }

  var currentGame: (any GameRouting)? { current.child as? any GameRouting }

  func routeToLoggedOut(alert: LoginFormError?) {
    route(to: loggedOutBuilder.build(withListener: interactor, alert: alert))
  }

  @discardableResult
  func routeToOffGame(
    as names: [String], after lastGame: LastGame?
  ) -> any OffGameActionableItem {
    let offGame = offGameBuilder.build(
      withListener: interactor, names: names, lastGame: lastGame)
    route(to: offGame)
    return offGame.actionableItem
  }

  func routeToGame(_ game: Game, setup: GameSetup) {
    let builder = game.builder(dependency: gameDependency)
    route(to: builder.build(withListener: interactor, setup: setup))
  }

  func routeToReplay(_ replay: Replay, firstGame: Int) {
    self.replay.route(
      to: replayBuilder.build(withListener: interactor, replay: replay, firstGame: firstGame))
  }

  var isReplaying: Bool { replay.child != nil }

  func detachReplay() {
    replay.clear()
    if let current = current.child { viewController.show(current.viewControllable) }
  }

  func cleanupViews() {
    replay.clear()
    current.clear()
  }

  private func route(to new: any ViewableRouting) {
    replay.clear()
    current.route(to: new)
  }
}
