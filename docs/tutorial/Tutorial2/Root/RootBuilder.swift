import RIBs

/// The root's dependencies, provided by the program.
protocol RootDependency: Dependency {
  var console: Console { get }
  var games: GameRegistry { get }
}

final class RootComponent: Component<any RootDependency>, LoggedOutDependency, LoggedInDependency {
  let rootView: RootView
  var console: Console { dependency.console }
  var games: GameRegistry { dependency.games }
  /// LoggedIn has no view of its own. It shows the views of its children in this one.
  var loggedInView: any LoggedInViewControllable { rootView }

  init(dependency: any RootDependency, rootView: RootView) {
    self.rootView = rootView
    super.init(dependency: dependency)
  }
}

protocol RootBuildable: Buildable {
  func build() -> any LaunchRouting
}

final class RootBuilder: Builder<any RootDependency>, RootBuildable {
  func build() -> any LaunchRouting {
    let view = RootView()
    let component = RootComponent(dependency: dependency, rootView: view)
    let interactor = RootInteractor()
    let router = RootRouter(
      interactor: interactor, viewController: view,
      loggedOutBuilder: LoggedOutBuilder(dependency: component),
      loggedInBuilder: LoggedInBuilder(dependency: component))
    interactor.router = router
    return router
  }
}
