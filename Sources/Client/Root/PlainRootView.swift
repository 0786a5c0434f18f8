import Shared

/// What a person can do wherever they are.
protocol RootPresentableListener: AnyObject {
  /// Leaves a running game.
  func leaveGame()
  func quit()
  /// What the person types cannot be read any more.
  func inputDidFail(_ sentence: String)
}

/// The screen: the console, with one view at a time, which gets what is typed.
final class PlainRootView: RootPresentable, RootViewControllable {
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

extension Console: Window {
  func show(_ root: any ViewControllable) {
    reader = root as? any ConsoleReader
  }
}

/// A view that reads lines.
protocol ConsoleView: AnyObject {
  /// Answers `false` where the line means nothing to it; the root view looks at it then.
  func didType(_ line: String) -> Bool
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
