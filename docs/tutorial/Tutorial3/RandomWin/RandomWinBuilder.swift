import RIBs

final class RandomWinBuilder: Builder<any GameDependency>, GameBuildable {
  private let toss: () -> Bool

  /// `toss` returns whether X wins.
  init(dependency: any GameDependency, toss: @escaping () -> Bool) {
    self.toss = toss
    super.init(dependency: dependency)
  }

  func build(withListener listener: any GameListener) -> any ViewableRouting {
    let view = RandomWinView(console: dependency.console, players: dependency.players)
    let interactor = RandomWinInteractor(presenter: view, toss: toss)
    interactor.listener = listener
    return RandomWinRouter(interactor: interactor, viewController: view)
  }
}
