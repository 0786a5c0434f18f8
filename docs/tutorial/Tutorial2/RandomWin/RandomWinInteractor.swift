import RIBs

/// The game's calls to its view.
protocol RandomWinPresentable: Presentable {
  var listener: (any RandomWinPresentableListener)? { get set }
  func askForToss()
  func announce(_ winner: Mark)
}

final class RandomWinInteractor: PresentableInteractor<any RandomWinPresentable>,
  RandomWinInteractable
{
  weak var listener: (any GameListener)?
  private let toss: () -> Bool

  init(presenter: any RandomWinPresentable, toss: @escaping () -> Bool) {
    self.toss = toss
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    presenter.askForToss()
  }
}

extension RandomWinInteractor: RandomWinPresentableListener {
  func tossCoin() {
    let winner: Mark = toss() ? .x : .o
    presenter.announce(winner)
    listener?.gameDidEnd(with: .won(winner))
  }
}

/// The actions of the person at the view.
protocol RandomWinPresentableListener: AnyObject {
  func tossCoin()
}
