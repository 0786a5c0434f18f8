import RIBs

/// Builds the proxy of a game of Nim at the other end of a wire.
final class RemoteNimBuilder: Builder<any NimDependency>, GameBuildable {
  private let wire: any Wire

  init(dependency: any NimDependency, wire: any Wire) {
    self.wire = wire
    super.init(dependency: dependency)
  }

  func build(withListener listener: any GameListener) -> any ViewableRouting {
    let view = dependency.makeNimView()
    let interactor = RemoteNimInteractor(presenter: view, wire: wire)
    interactor.listener = listener
    return NimRouter(interactor: interactor, viewController: view)
  }
}
