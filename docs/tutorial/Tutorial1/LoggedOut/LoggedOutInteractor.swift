import RIBs

/// LoggedOut's calls to its view.
protocol LoggedOutPresentable: Presentable {
  var listener: (any LoggedOutPresentableListener)? { get set }
  func askForNames()
}

/// LoggedOut's calls to the root.
protocol LoggedOutListener: AnyObject {
  func didLogIn(as players: Players)
}

final class LoggedOutInteractor: PresentableInteractor<any LoggedOutPresentable>,
  LoggedOutInteractable
{
  weak var listener: (any LoggedOutListener)?

  override init(presenter: any LoggedOutPresentable) {
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    presenter.askForNames()
  }
}

extension LoggedOutInteractor: LoggedOutPresentableListener {
  func logIn(withPlayer1Name name1: String, player2Name name2: String) {
    let players = Players(
      x: name1.isEmpty ? "Player 1" : name1, o: name2.isEmpty ? "Player 2" : name2)
    listener?.didLogIn(as: players)
  }
}

/// The actions of a person at the form.
protocol LoggedOutPresentableListener: AnyObject {
  /// Logs both players in. An empty name stands for “Player 1” or “Player 2”.
  func logIn(withPlayer1Name name1: String, player2Name name2: String)
}
