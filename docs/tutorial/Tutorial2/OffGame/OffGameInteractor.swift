import RIBs

/// OffGame's calls to its view.
protocol OffGamePresentable: Presentable {
  var listener: (any OffGamePresentableListener)? { get set }
  func show(_ score: Score)
}

/// OffGame's calls to LoggedIn.
protocol OffGameListener: AnyObject {
  func didChooseGame(named name: String)
  func didChooseLogOut()
}

final class OffGameInteractor: PresentableInteractor<any OffGamePresentable>, OffGameInteractable {
  weak var listener: (any OffGameListener)?
  private let scoreStream: any ScoreStream

  init(presenter: any OffGamePresentable, scoreStream: any ScoreStream) {
    self.scoreStream = scoreStream
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    scoreStream.score
      .subscribe { [weak self] score in self?.presenter.show(score) }
      .disposeOnDeactivate(interactor: self)
  }
}

extension OffGameInteractor: OffGamePresentableListener {
  func choose(_ name: String) {
    listener?.didChooseGame(named: name)
  }

  func logOut() {
    listener?.didChooseLogOut()
  }
}

/// The actions of a person between two games.
protocol OffGamePresentableListener: AnyObject {
  func choose(_ name: String)
  func logOut()
}
