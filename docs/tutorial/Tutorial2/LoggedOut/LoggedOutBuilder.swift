import RIBs

/// LoggedOut's dependencies, provided by the root.
protocol LoggedOutDependency: Dependency {
  var console: Console { get }
}

protocol LoggedOutBuildable: Buildable {
  func build(withListener listener: any LoggedOutListener) -> any ViewableRouting
}

final class LoggedOutBuilder: Builder<any LoggedOutDependency>, LoggedOutBuildable {
  func build(withListener listener: any LoggedOutListener) -> any ViewableRouting {
    let view = LoggedOutView(console: dependency.console)
    let interactor = LoggedOutInteractor(presenter: view)
    interactor.listener = listener
    return LoggedOutRouter(interactor: interactor, viewController: view)
  }
}
