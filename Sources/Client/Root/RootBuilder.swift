import Shared

/// What the root needs from the program.
protocol RootDependency: Dependency {
  var views: any Views { get }
  var random: RandomSource { get }
  var timers: any Timers { get }
  var play: any Play { get }
  var scoreStream: any ScoreStream { get }
  /// What works as long as the root is active.
  var workers: [any Working] { get }
  /// Names to log in under without asking; none: ask.
  var presetNames: [String] { get }
  /// Whether somebody is there to be asked; else what the command line wants is done, or the program
  /// ends.
  var isAttended: Bool { get }
  /// What to do right after the login; `nil`: the person says.
  var firstWish: FirstWish? { get }
}

final class RootComponent: Component<any RootDependency>, LoggedOutDependency, OffGameDependency,
  TicTacToeDependency
{
  var views: any Views { dependency.views }
  var loginService: any LoginService { dependency.play }
  var starting: any Starting { dependency.play }
  var scoreStream: any ScoreStream { dependency.scoreStream }
  var timers: any Timers { dependency.timers }
  var presetNames: [String] { dependency.presetNames }
  var isAttended: Bool { dependency.isAttended }
  var random: RandomSource { dependency.random }

  func makeGameView(for game: GameInfo, setup: GameSetup) -> any TicTacToeViewControllable {
    views.makeGameView(for: game, setup: setup)
  }
}

protocol RootBuildable: Buildable {
  func build(withListener listener: any RootListener) -> any LaunchRouting
}

/// Builds the client's tree, ready to be launched.
final class RootBuilder: Builder<any RootDependency>, RootBuildable {
  func build(withListener listener: any RootListener) -> any LaunchRouting {
    let component = RootComponent(dependency: dependency)
    let view = component.views.makeRootView()
    let interactor = RootInteractor(
      presenter: view, play: dependency.play, workers: dependency.workers,
      firstWish: dependency.firstWish, isAttended: dependency.isAttended)
    interactor.listener = listener
    let router = RootRouter(
      interactor: interactor, viewController: view,
      loggedOutBuilder: LoggedOutBuilder(dependency: component),
      offGameBuilder: OffGameBuilder(dependency: component),
      gameDependency: component)
    interactor.router = router
    return router
  }
}
