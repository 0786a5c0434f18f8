import RIBs

/// Nim's dependencies, provided by the program.
protocol NimDependency: Dependency {
  func makeNimView() -> any NimViewControllable
}

final class NimBuilder: Builder<any NimDependency>, GameBuildable {
  func build(withListener listener: any GameListener) -> any ViewableRouting {
    let view = dependency.makeNimView()
    let interactor = NimInteractor(presenter: view)
    interactor.listener = listener
    return NimRouter(interactor: interactor, viewController: view)
  }
}
