import RIBs

/// The dependencies of the far end's root.
protocol HostDependency: Dependency {
  var wire: any Wire { get }
}

final class HostComponent: Component<any HostDependency>, TicTacToeDependency {
  /// The view of all games at this host, one after the other: the wire.
  let gameView: WireTicTacToeView

  override init(dependency: any HostDependency) {
    gameView = WireTicTacToeView(wire: dependency.wire)
    super.init(dependency: dependency)
  }

  func makeTicTacToeView() -> any TicTacToeViewControllable { gameView }
}

/// Builds the root of the far end.
final class HostBuilder: Builder<any HostDependency> {
  func build() -> any HostRouting {
    let component = HostComponent(dependency: dependency)
    let interactor = HostInteractor(wire: dependency.wire, gameView: component.gameView)
    let router = HostRouter(
      interactor: interactor, gameBuilder: TicTacToeBuilder(dependency: component))
    interactor.router = router
    return router
  }
}
