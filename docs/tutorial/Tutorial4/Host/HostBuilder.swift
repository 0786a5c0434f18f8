import RIBs

/// The dependencies of the far end's root.
protocol HostDependency: Dependency {
  var wire: any Wire { get }
}

final class HostComponent: Component<any HostDependency>, NimDependency {
  let gameView: WireNimView

  override init(dependency: any HostDependency) {
    gameView = WireNimView(wire: dependency.wire)
    super.init(dependency: dependency)
  }

  func makeNimView() -> any NimViewControllable { gameView }
}

/// Builds the root of the far end, one for each connection.
final class HostBuilder: Builder<any HostDependency> {
  func build() -> any HostRouting {
    let component = HostComponent(dependency: dependency)
    let interactor = HostInteractor(wire: dependency.wire, gameView: component.gameView)
    let router = HostRouter(interactor: interactor, gameBuilder: NimBuilder(dependency: component))
    interactor.router = router
    return router
  }
}
