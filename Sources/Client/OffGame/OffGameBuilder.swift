import Shared

/// What OffGame needs from the root.
protocol OffGameDependency: Dependency {
  var views: any Views { get }
  var starting: any Starting { get }
  var scoreStream: any ScoreStream { get }
  var timers: any Timers { get }
}

protocol OffGameBuildable: Buildable {
  /// `names` are those of the people here.
  func build(
    withListener listener: any OffGameListener, names: [String]
  ) -> any OffGameRouting
}

/// Builds what is there when no game runs.
final class OffGameBuilder: Builder<any OffGameDependency>, OffGameBuildable {
  func build(
    withListener listener: any OffGameListener, names: [String]
  ) -> any OffGameRouting {
    let view = dependency.views.makeOffGameView(names: names)
    let interactor = OffGameInteractor(
      presenter: view, starting: dependency.starting, scoreStream: dependency.scoreStream,
      timers: dependency.timers)
    interactor.listener = listener
    return OffGameRouter(interactor: interactor, viewController: view)
  }
}
