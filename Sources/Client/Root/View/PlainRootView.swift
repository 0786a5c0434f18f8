import Shared

/// The screen: the console, with one view at a time, which gets what is typed.
final class PlainRootView: RootViewControllable {
  weak var listener: (any RootPresentableListener)?
  private let console: Console
  private var shown: (any ConsoleView)?
  private var news = MatchNews()
  /// Whether chat is not shown; stays so until the person changes it, also in the next match.
  private var isMuted = false
  private var hasQuit = false

  init(console: Console) {
    self.console = console
  }

  func show(_ view: any ViewControllable) {
    shown = view as? any ConsoleView
  }

  func show(_ news: MatchNews) {
    let sentences = news.sentences(since: self.news, ofChat: !isMuted)
    for sentence in sentences { console.say(sentence) }
    if let deadline = news.deadline, deadline != self.news.deadline {
      console.say("Time for this move: \((deadline - news.updated).clock)")
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

extension PlainRootView: ConsoleDelegate {
  /// `quit` works everywhere, `leave` in every game, `say` in every match, `mute` and `unmute` wherever
  /// somebody is logged in.
  func consoleDidRead(_ line: String) {
    guard !hasQuit else { return }
    let word = line.trimmed
    if word == "quit" { return quit() }
    guard let shown else { return console.say("One moment. To end the program, type: quit") }
    guard !shown.didType(line) else { return }
    if word == "leave" {
      listener?.leaveGame()
    } else if ["mute", "unmute"].contains(word) {
      isMuted = word == "mute"
      console.say(
        isMuted ? "Chat is muted. To show it again, type: unmute" : "Chat is shown again.")
      _ = shown.didType("")
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

extension String {
  /// What is to be said, of the line `say TEXT`; `nil` where it is another.
  var remark: String? {
    let words = trimmed.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    return words.count == 2 && words[0] == "say" ? String(words[1]).trimmed : nil
  }
}
