import Shared

/// The full screen of a terminal.
final class ScreenInterface: UserInterface {
  let viewFactory: any ViewFactory
  private let session: TerminalSession
  private let ended: (TerminalEnd) -> Void

  /// `ended` is called once, where a signal or the terminal itself puts an end to it.
  init(loop: EventLoop, ended: @escaping (TerminalEnd) -> Void) {
    session = TerminalSession(loop: loop)
    viewFactory = ScreenViewFactory(screen: session.screen)
    self.ended = ended
    session.delegate = self
  }

  var window: any Window { session.screen }

  func start() throws(SystemError) {
    try session.start()
  }

  func turnDidEnd() {}

  func stop() {
    session.stop()
  }
}

extension ScreenInterface: TerminalSessionDelegate {
  func terminalDidEnd(_ end: TerminalEnd) {
    ended(end)
  }
}
