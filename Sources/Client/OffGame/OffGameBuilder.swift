import Shared

/// What OffGame needs from the root.
protocol OffGameDependency: Dependency {
  var views: any Views { get }
  var starting: any Starting { get }
  var scoreStream: any ScoreStream { get }
  var timers: any Timers { get }
}

protocol OffGameBuildable: Buildable {
  /// `names` are those of the people here; `lastGame` is one that has just ended.
  func build(
    withListener listener: any OffGameListener, names: [String], lastGame: LastGame?
  ) -> any OffGameRouting
}

/// Builds what is there when no game runs.
final class OffGameBuilder: Builder<any OffGameDependency>, OffGameBuildable {
  func build(
    withListener listener: any OffGameListener, names: [String], lastGame: LastGame?
  ) -> any OffGameRouting {
    let view = dependency.views.makeOffGameView(names: names, lastGame: lastGame)
    let interactor = OffGameInteractor(
      presenter: view, starting: dependency.starting, scoreStream: dependency.scoreStream,
      timers: dependency.timers)
    interactor.listener = listener
    return OffGameRouter(interactor: interactor, viewController: view)
  }
}
