import RIBs
import Shared

protocol LoggedOutViewMaking {
  func makeLoggedOutView() -> any LoggedOutViewControllable
}

/// LoggedOut's dependencies, provided by the root.
protocol LoggedOutDependency: Dependency, LoggedOutViewMaking {
  var loginService: any LoginService { get }
  /// The names to log in with, without asking; empty means to ask.
  var presetNames: [String] { get }
  /// Whether a person is there to choose another name if these are refused.
  var isAttended: Bool { get }
}

protocol LoggedOutBuildable: Buildable {
  /// `alert` is the reason why a person has to log in again; `nil` at the first login. With an
  /// alert, the form always asks.
  func build(
    withListener listener: any LoggedOutListener, alert: LoginFormError?
  ) -> any LoggedOutRouting
}

/// Builds LoggedOut, the RIB with the login form.
final class LoggedOutBuilder: Builder<any LoggedOutDependency>, LoggedOutBuildable {
  func build(
    withListener listener: any LoggedOutListener, alert: LoginFormError?
  ) -> any LoggedOutRouting {
    let view = dependency.makeLoggedOutView()
    let interactor = LoggedOutInteractor(
      presenter: view, service: dependency.loginService,
      presetNames: alert == nil ? dependency.presetNames : [], isAttended: dependency.isAttended,
      alert: alert)
    interactor.listener = listener
    return LoggedOutRouter(interactor: interactor, viewController: view)
  }
}
