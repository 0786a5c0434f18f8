import Shared

/// The interactor, as its router sees it.
protocol RootInteractable: Interactable, LoggedOutListener, OffGameListener, GameListener,
  ReplayListener
{
  var router: (any RootRouting)? { get set }
  var listener: (any RootListener)? { get set }
}

/// The root's view, as its router sees it.
protocol RootViewControllable: ViewControllable, RootPresentable {
  func show(_ view: any ViewControllable)
  func hide(_ view: any ViewControllable)
}

final class RootRouter: LaunchRouter<any RootInteractable, any RootViewControllable>, RootRouting {
  private let loggedOutBuilder: any LoggedOutBuildable
  private let offGameBuilder: any OffGameBuildable
  private let replayBuilder: any ReplayBuildable
  private let gameDependency: any TicTacToeDependency
  /// The only child but a replay. Its view is on the screen, unless there is a replay.
  private var current: (any ViewableRouting)?
  /// The replay on the screen.
  private var replay: (any ReplayRouting)?

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

  var currentGame: (any GameRouting)? { current as? any GameRouting }

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
    forgetReplay()
    let new = replayBuilder.build(withListener: interactor, replay: replay, firstGame: firstGame)
    self.replay = new
    viewController.show(new.viewControllable)
    attachChild(new)
  }

  var isReplaying: Bool { replay != nil }

  func detachReplay() {
    forgetReplay()
    if let current { viewController.show(current.viewControllable) }
  }

  private func forgetReplay() {
    guard let old = replay else { return }
    replay = nil
    viewController.hide(old.viewControllable)
    detachChild(old)
  }

  func cleanupViews() {
    forgetReplay()
    guard let old = current else { return }
    current = nil
    viewController.hide(old.viewControllable)
    detachChild(old)
  }

  /// Replaces the child.
  private func route(to new: any ViewableRouting) {
    cleanupViews()
    current = new
    viewController.show(new.viewControllable)
    attachChild(new)
  }
}
