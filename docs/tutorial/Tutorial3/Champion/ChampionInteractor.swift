import RIBs

/// Champion's calls to its view.
protocol ChampionPresentable: Presentable {
  var listener: (any ChampionPresentableListener)? { get set }
  func show(_ name: String)
}

/// Champion's calls to LoggedIn.
protocol ChampionListener: AnyObject {
  func didLeaveChampion()
}

/// Shows who has won the match, until somebody presses Enter.
final class ChampionInteractor: PresentableInteractor<any ChampionPresentable>,
  ChampionInteractable
{
  weak var listener: (any ChampionListener)?
  private let name: String

  init(presenter: any ChampionPresentable, name: String) {
    self.name = name
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    presenter.show(name)
  }
}

extension ChampionInteractor: ChampionPresentableListener {
  func leave() {
    listener?.didLeaveChampion()
  }
}

/// The actions of the person at the view.
protocol ChampionPresentableListener: AnyObject {
  func leave()
}
