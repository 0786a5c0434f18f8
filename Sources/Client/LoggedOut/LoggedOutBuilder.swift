import Shared

/// What the form needs from the root.
protocol LoggedOutDependency: Dependency {
  var views: any Views { get }
  var loginService: any LoginService { get }
  /// Names to try before anybody is asked; none: ask.
  var presetNames: [String] { get }
}

protocol LoggedOutBuildable: Buildable {
  func build(withListener listener: any LoggedOutListener) -> any LoggedOutRouting
}

/// Builds the form that asks who is here.
final class LoggedOutBuilder: Builder<any LoggedOutDependency>, LoggedOutBuildable {
  func build(withListener listener: any LoggedOutListener) -> any LoggedOutRouting {
    let view = dependency.views.makeLoggedOutView()
    let interactor = LoggedOutInteractor(
      presenter: view, service: dependency.loginService, presetNames: dependency.presetNames)
    interactor.listener = listener
    return LoggedOutRouter(interactor: interactor, viewController: view)
  }
}
