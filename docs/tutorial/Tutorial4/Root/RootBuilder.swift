import RIBs

/// The root's dependencies, provided by the program.
protocol RootDependency: Dependency {
  var console: Console { get }
  var players: Players { get }
  var wire: any Wire { get }
}

final class RootComponent: Component<any RootDependency>, NimDependency {
  func makeNimView() -> any NimViewControllable {
    NimView(console: dependency.console, players: dependency.players)
  }
}

/// Builds the root of the near end, whose one child is a game.
final class RootBuilder: Builder<any RootDependency> {
  func build(withListener listener: any RootListener) -> any LaunchRouting {
    let component = RootComponent(dependency: dependency)
    let interactor = RootInteractor()
    interactor.listener = listener
    return RootRouter(
      interactor: interactor, viewController: RootView(),
      gameBuilder: RemoteNimBuilder(dependency: component, wire: dependency.wire))
  }
}
