import RIBs

/// TicTacToe's dependencies, provided by the program.
protocol TicTacToeDependency: Dependency {
  func makeTicTacToeView() -> any TicTacToeViewControllable
}

final class TicTacToeBuilder: Builder<any TicTacToeDependency>, GameBuildable {
  func build(withListener listener: any GameListener) -> any ViewableRouting {
    let view = dependency.makeTicTacToeView()
    let interactor = TicTacToeInteractor(presenter: view)
    interactor.listener = listener
    return TicTacToeRouter(interactor: interactor, viewController: view)
  }
}
