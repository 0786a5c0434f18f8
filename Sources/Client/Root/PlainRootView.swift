import Shared

/// The screen: the console, with one view at a time, which gets what is typed.
final class PlainRootView: RootViewControllable {
  weak var listener: (any RootPresentableListener)?
  private let console: Console
  private var shown: (any ConsoleView)?
  private var news = MatchNews()
  private var hasQuit = false

  init(console: Console) {
    self.console = console
  }

  func show(_ view: any ViewControllable) {
    shown = view as? any ConsoleView
  }

  func show(_ news: MatchNews) {
    for sentence in news.sentences(since: self.news) { console.say(sentence) }
    if let deadline = news.deadline, deadline != self.news.deadline {
      console.say("Time for this move: \((deadline - news.told).clock)")
    }
    self.news = news
  }

  func say(_ sentence: String) {
    console.say(sentence)
    // A pipe is read on behind a question only.
    _ = shown?.didType("")
  }

  func hide(_ view: any ViewControllable) {
    if shown === view { shown = nil }
    console.stopAsking()
  }
}

extension PlainRootView: ConsoleReader {
  /// `quit` works everywhere, `leave` in every game, `say` in every match.
  func consoleDidRead(_ line: String) {
    guard !hasQuit else { return }
    let word = line.trimmed
    if word == "quit" { return quit() }
    guard let shown else { return console.say("A moment, please. To stop, type: quit") }
    guard !shown.didType(line) else { return }
    if word == "leave" {
      listener?.leaveGame()
    } else if let remark = line.remark {
      listener?.say(remark)
      // What was asked is still asked.
      _ = shown.didType("")
    }
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
