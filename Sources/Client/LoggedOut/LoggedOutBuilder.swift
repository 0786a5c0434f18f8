import Shared

/// What the form needs from the root.
protocol LoggedOutDependency: Dependency {
  var viewFactory: any ViewFactory { get }
  var loginService: any LoginService { get }
  /// Names to try before anybody is asked; none: ask.
  var presetNames: [String] { get }
  /// Whether somebody is there to be asked where these are refused.
  var isAttended: Bool { get }
}

protocol LoggedOutBuildable: Buildable {
  /// `alert` is why somebody who was logged in has to do so again: then the person is asked.
  func build(withListener listener: any LoggedOutListener, alert: String?) -> any LoggedOutRouting
}

/// Builds the form that asks who is here.
final class LoggedOutBuilder: Builder<any LoggedOutDependency>, LoggedOutBuildable {
  func build(withListener listener: any LoggedOutListener, alert: String?) -> any LoggedOutRouting {
    let view = dependency.viewFactory.makeLoggedOutView()
    let interactor = LoggedOutInteractor(
      presenter: view, service: dependency.loginService,
      presetNames: alert == nil ? dependency.presetNames : [], isAttended: dependency.isAttended,
      alert: alert)
    interactor.listener = listener
    return LoggedOutRouter(interactor: interactor, viewController: view)
  }
}
