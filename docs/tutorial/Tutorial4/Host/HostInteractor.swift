import RIBs

/// The host's calls to its router, and the program's.
protocol HostRouting: Routing {
  /// Activates and loads the root, which has no view and no window.
  func launch()
  func attachGame()
  /// Does nothing if there is no game.
  func detachGame()
}

/// The root of the far end: the parent of the real game. The commands that arrive on the wire are
/// its key presses.
final class HostInteractor: Interactor, HostInteractable {
  weak var router: (any HostRouting)?
  private let wire: any Wire
  private let gameView: any NimPresentable

  init(wire: any Wire, gameView: any NimPresentable) {
    self.wire = wire
    self.gameView = gameView
  }

  override func didBecomeActive() {
    wire.receiver = self
  }
}

extension HostInteractor: WireReceiver {
  func didReceive(_ line: String) {
    guard let command = NimCommand(line: line) else { return }
    switch command {
    case .begin: router?.attachGame()
    case .take(let count): gameView.listener?.take(count)
    case .leave: router?.detachGame()
    }
  }
}

extension HostInteractor: GameListener {
  func gameDidEnd(with outcome: Outcome) {
    router?.detachGame()
  }
}
