import RIBs

/// The root's calls to the program.
protocol RootListener: AnyObject {
  func gameIsOver()
}

final class RootInteractor: Interactor, RootInteractable {
  weak var listener: (any RootListener)?
}

extension RootInteractor: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    listener?.gameIsOver()
  }
}
