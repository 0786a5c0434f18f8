import Shared

/// The screen: the console, with one view at a time, which gets what is typed.
final class PlainRootView: RootViewControllable {
  weak var listener: (any RootPresentableListener)?
  private let console: Console
  private var shown: (any ConsoleView)?
  private var hasQuit = false

  init(console: Console) {
    self.console = console
  }

  func show(_ view: any ViewControllable) {
    shown = view as? any ConsoleView
  }

  func hide(_ view: any ViewControllable) {
    if shown === view { shown = nil }
    console.stopAsking()
  }
}

extension PlainRootView: ConsoleReader {
  /// `quit` works everywhere, `leave` in every game.
  func consoleDidRead(_ line: String) {
    guard !hasQuit else { return }
    let word = line.trimmed
    if word == "quit" { return quit() }
    guard let shown else { return console.say("A moment, please. To stop, type: quit") }
    if !shown.didType(line), word == "leave" { listener?.leaveGame() }
  }

  func consoleDidEnd() {
    quit()
  }

  func consoleDidFail(_ sentence: String) {
    listener?.inputDidFail(sentence)
  }

  private func quit() {
    hasQuit = true
    listener?.quit()
  }
}
