import RIBs

/// Builds the proxy of a game at the other end of a wire. LoggedIn cannot tell it from a
/// `TicTacToeBuilder`.
final class RemoteTicTacToeBuilder: Builder<any TicTacToeDependency>, GameBuildable {
  private let wire: any Wire

  init(dependency: any TicTacToeDependency, wire: any Wire) {
    self.wire = wire
    super.init(dependency: dependency)
  }

  func build(withListener listener: any GameListener) -> any ViewableRouting {
    let view = dependency.makeTicTacToeView()
    let interactor = RemoteTicTacToeInteractor(presenter: view, wire: wire)
    interactor.listener = listener
    return TicTacToeRouter(interactor: interactor, viewController: view)
  }
}
