import RIBs
import Shared

/// A replay in plain lines: all boards, one after the other.
final class PlainReplayView: ReplayViewControllable {
  weak var listener: (any ReplayPresentableListener)?
  let showsAllAtOnce = true
  private let console: Console
  private var news = MatchNews()

  init(console: Console) {
    self.console = console
  }

  /// The views of the games write by themselves.
  func show(_ view: any ViewControllable) {}
  func hide(_ view: any ViewControllable) {}

  func show(_ state: ReplayState) {
    guard state.isAtEnd else { return }
    let (moves, end) =
      if state.damage != nil {
        ("\(state.move) of \(state.moveCount)", "damaged")
      } else {
        ("\(state.moveCount)", state.isComplete ? "end" : "the rest is missing")
      }
    console.say("Replay of \(state.match), \(moves) moves: \(end).")
  }

  func show(_ news: MatchNews) {
    for sentence in news.sentences(since: self.news, ofLink: false, ofChat: true) {
      console.say(sentence)
    }
    self.news = news
  }

  func say(_ sentence: String?) {
    if let sentence { console.say(sentence) }
  }
}

extension PlainReplayView: ConsoleView {
  func didType(_ line: String) -> Bool { true }
}
