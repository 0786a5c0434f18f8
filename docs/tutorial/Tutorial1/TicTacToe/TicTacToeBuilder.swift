import RIBs

/// TicTacToe's dependencies, provided by LoggedIn.
protocol TicTacToeDependency: Dependency {
  func makeTicTacToeView() -> any TicTacToeViewControllable
}

protocol TicTacToeBuildable: Buildable {
  func build(withListener listener: any TicTacToeListener) -> any ViewableRouting
}

final class TicTacToeBuilder: Builder<any TicTacToeDependency>, TicTacToeBuildable {
  func build(withListener listener: any TicTacToeListener) -> any ViewableRouting {
    let view = dependency.makeTicTacToeView()
    let interactor = TicTacToeInteractor(presenter: view)
    interactor.listener = listener
    return TicTacToeRouter(interactor: interactor, viewController: view)
  }
}
