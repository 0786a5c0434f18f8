import RIBs
import Shared

/// The root's view in plain lines. It shows one view at a time, which gets the typed lines.
final class PlainRootView: RootViewControllable {
  weak var listener: (any RootPresentableListener)?
  private let console: Console
  private var shown: (any ConsoleView)?
  private var news = MatchNews()
  /// Whether chat is hidden. It stays hidden in the next match, until the person shows it again.
  private var isMuted = false
  private var hasQuit = false
  /// Whether the question after Ctrl-C stands, which a second one answers with yes.
  private var hasAsked = false

  init(console: Console) {
    self.console = console
  }

  func show(_ view: any ViewControllable) {
    shown = view as? any ConsoleView
    hasAsked = false
    console.stopConfirming()
  }

  func show(_ news: MatchNews) {
    let sentences = news.sentences(since: self.news, ofChat: !isMuted)
    for sentence in sentences { console.say(sentence) }
    if let deadline = news.deadline, deadline != self.news.deadline,
      deadline - news.updated <= MatchNews.maxShownTime
    {
      console.say("Time for this move: \((deadline - news.updated).clock)")
    }
    self.news = news
    console.isHeld = news.lostSince != nil || news.isRepeating
  }

  func warn(_ sentence: String) {
    console.say(sentence)
  }

  func say(_ sentence: String) {
    console.say(sentence)
    // An empty line makes the view ask again, because a pipe is only read after a question.
    _ = shown?.didType("")
  }

  func confirm(_ sentence: String) {
    say(sentence)
  }

  func hide(_ view: any ViewControllable) {
    if shown === view { shown = nil }
    hasAsked = false
    console.stopConfirming()
    console.stopAsking()
  }
}

extension PlainRootView: ConsoleDelegate {
  /// Asks first before a word that loses a running game. At a pipe nobody could answer, and without
  /// a connection only the end of the program is carried out.
  func consoleDidRead(_ line: String) {
    guard !hasQuit else { return }
    hasAsked = false
    let command = TypedLine(line).onlyCommand
    guard let loss = command.flatMap({ Self.losses[$0] }), isGameAtStake,
      command == "quit" || news.lostSince == nil
    else {
      return carryOut(line)
    }
    console.confirm(loss.question) { [weak self] answer in
      self?.didAnswer(answer, before: line, refusal: loss.refusal)
    }
  }

  /// The commands that lose a running game: the question before each of them, and what an answer
  /// that is neither yes nor no means.
  private static let losses = [
    "quit": (
      question: "End the program, and lose this game? (yes or no): ",
      refusal: "The program goes on."
    ),
    "leave": (
      question: "Leave the match, and lose this game? (yes or no): ",
      refusal: "You have not left the match."
    ),
    "resign": (
      question: "Resign, and lose this game? (yes or no): ", refusal: "You have not resigned."
    ),
  ]

  /// Whether a person would lose a running game, and can be asked.
  private var isGameAtStake: Bool { shown?.isGameRunning == true && console.isInteractive }

  /// Any other answer than yes or no is a line like every other one.
  private func didAnswer(_ answer: String, before line: String, refusal: String) {
    switch TypedLine(answer).onlyCommand {
    case "yes", "y": carryOut(line)
    case "no", "n", "": goOn()
    default:
      console.say(refusal)
      consoleDidRead(answer)
    }
  }

  private static let interruptQuestion =
    "To leave this game, lose it and end the program, press Ctrl-C again; to go on, press Enter: "

  private func goOn() {
    console.say("The game goes on.")
    _ = shown?.didType("")
  }

  /// `quit` (also as `exit` or `q`) works everywhere, `leave` in every game, `say` in every match,
  /// `mute` and `unmute` after the login.
  private func carryOut(_ line: String) {
    let typed = TypedLine(line)
    if typed.onlyCommand == "quit" { return quit() }
    guard let shown else { return console.say("One moment. To end the program, type: quit") }
    guard !shown.didType(line) else { return }
    switch (typed.command, typed.rest) {
    case ("leave", nil): listener?.leaveGame()
    case ("mute", nil), ("unmute", nil):
      isMuted = typed.command == "mute"
      console.say(
        isMuted ? "Chat is muted. To show it again, type: unmute" : "Chat is shown again.")
      _ = shown.didType("")
    case ("say", let remark?):
      listener?.say(remark)
      // The open question stays open.
      _ = shown.didType("")
    default: break
    }
  }

  /// At a terminal, Ctrl-D means `quit`, and asks as `quit` does.
  func consoleDidEnd() {
    if isGameAtStake { consoleDidRead("quit") } else if !hasQuit { quit() }
  }

  func consoleWillSuspend() {
    listener?.willSuspend()
  }

  func consoleDidContinue() {
    listener?.didContinue()
  }

  /// If that loses a game, the first Ctrl-C only asks. At a pipe nobody could answer.
  func consoleDidInterrupt() -> Bool {
    console.stopConfirming()
    if isGameAtStake, !hasAsked, !hasQuit {
      hasAsked = true
      console.confirm(Self.interruptQuestion) { [weak self] answer in
        guard answer.trimmed.isEmpty else { return self?.consoleDidRead(answer) ?? () }
        self?.hasAsked = false
        self?.goOn()
      }
      return false
    }
    if !hasQuit { quit() }
    return true
  }

  func consoleDidFail(_ sentence: String) {
    listener?.inputDidFail(sentence)
  }

  private func quit() {
    hasQuit = true
    listener?.quit()
  }
}
