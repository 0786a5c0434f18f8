import RIBs
import Shared
import Testing

@testable import Client

@Suite struct PlainRootViewTests {
  private let terminal = TestTerminal()
  private let view: PlainRootView
  private let listener = RootPresentableListenerMock()
  private let shown = ConsoleViewMock()

  init() {
    view = PlainRootView(console: terminal.console)
    view.listener = listener
    terminal.console.show(view)
    view.show(shown)
  }

  @Test func `typed lines go to the current view`() {
    terminal.type("start bob")
    #expect(shown.lines == ["start bob"])
    #expect(listener.calls.isEmpty)
  }

  @Test func `quit is handled before the current view`() {
    terminal.type("  quit ")
    view.hide(shown)
    terminal.type("quit")
    #expect(listener.calls == ["quit"])
    #expect(shown.lines.isEmpty)
  }

  @Test(arguments: ["exit", "q", "QUIT", "Exit", " Q "])
  func `quit has other spellings`(_ line: String) {
    terminal.type(line)
    #expect(listener.calls == ["quit"])
    #expect(shown.lines.isEmpty)
  }

  @Test func `commands of every screen can be typed in capitals`() {
    shown.understands = false
    terminal.type("LEAVE")
    terminal.type("Say Hello there")
    #expect(listener.calls.first == "leave")
    #expect(listener.calls.last?.hasSuffix("Hello there") == true)
    #expect(typed("MUTE").contains("Chat is muted."))
  }

  @Test func `leave goes to the current view first`() {
    terminal.type("leave")
    #expect(listener.calls.isEmpty)
    shown.understands = false
    terminal.type("leave")
    terminal.type("other")
    #expect(listener.calls == ["leave"])
    #expect(shown.lines == ["leave", "leave", "other"])
  }

  @Test func `muting hides the chat and nothing else`() {
    shown.understands = false
    #expect(typed("mute") == "mute\nChat is muted. To show it again, type: unmute\n")
    var news = MatchNews()
    news.match = "zrg3"
    news.add(MatchNews.Remark(from: "bob", text: "hello"))
    news.absences = [MatchNews.Absence(name: "bob", until: nil)]
    view.show(news)
    #expect(terminal.takeOutput() == "bob is away.\n")
    #expect(typed("unmute") == "unmute\nChat is shown again.\n")
    news.add(MatchNews.Remark(from: "bob", text: "well?"))
    view.show(news)
    #expect(terminal.takeOutput() == "\"bob\": well?\n")
    // An empty line makes the view repeat its question.
    #expect(shown.lines == ["mute", "", "unmute", ""])
    #expect(listener.calls.isEmpty)
  }

  private func typed(_ line: String) -> String {
    terminal.type(line)
    return terminal.takeOutput()
  }

  @Test func `Ctrl-C in a game asks for a second one, and any line takes it back`() {
    shown.isGameRunning = true
    #expect(!terminal.console.interrupt())
    #expect(
      terminal.takeOutput()
        == "\nTo leave this game, lose it and end the program, press Ctrl-C again; to go on, press"
        + " Enter: ")
    terminal.type("5")
    #expect(!terminal.console.interrupt())
    #expect(listener.calls.isEmpty)
    #expect(terminal.console.interrupt())
    #expect(listener.calls == ["quit"])
    #expect(terminal.console.interrupt())
    #expect(listener.calls == ["quit"])
  }

  @Test(arguments: ["quit", "q", "EXIT", "leave", "Resign"])
  func `a word that loses a game asks first`(_ line: String) {
    shown.isGameRunning = true
    shown.understands = false
    for no in ["no", "N", ""] {
      #expect(typed(line).hasSuffix(" lose this game? (yes or no): "))
      #expect(typed(no) == "\(no)\nThe game goes on.\n")
    }
    #expect(listener.calls.isEmpty)
    // An empty line makes the view ask again.
    #expect(shown.lines == ["", "", ""])
    terminal.type(line)
    terminal.type("YES")
    switch TypedLine(line).command {
    case "quit": #expect(listener.calls == ["quit"])
    case "leave": #expect(listener.calls == ["leave"])
    default: #expect(shown.lines.last == line)
    }
  }

  @Test func `without a connection only the end of the program asks`() {
    shown.isGameRunning = true
    var news = MatchNews()
    news.lostSince = .zero
    view.show(news)
    _ = terminal.takeOutput()
    #expect(typed("resign") == "resign\n")
    #expect(shown.lines == ["resign"])
    #expect(typed("quit").hasSuffix(" lose this game? (yes or no): "))
  }

  @Test func `another answer takes the question back, and counts as a line`() {
    shown.isGameRunning = true
    terminal.type("quit")
    terminal.type("5")
    terminal.type("y")
    #expect(shown.lines == ["5", "y"])
    _ = typed("quit")
    #expect(
      typed("leave")
        == "leave\nThe program goes on.\nLeave the match, and lose this game? (yes or no): ")
    #expect(typed("Resign").hasPrefix("Resign\nYou have not left the match.\nResign, and"))
    #expect(typed("ye").hasPrefix("ye\nYou have not resigned.\n"))
    #expect(listener.calls.isEmpty)
  }

  @Test func `news repeat the question, and a question of the view waits`() {
    shown.isGameRunning = true
    terminal.console.ask("ann, put X: ")
    let question = "Leave the match, and lose this game? (yes or no): "
    #expect(typed("leave").hasSuffix(question))
    terminal.console.say("bob puts O on 1.")
    terminal.console.ask("ann, put X again: ")
    #expect(terminal.takeOutput() == "\nbob puts O on 1.\n\(question)")
    terminal.console.stopAsking()
    #expect(terminal.takeOutput() == "")
    terminal.console.ask("ann, put X: ")
    shown.onLine = { [terminal] _ in terminal.console.ask("ann, put X: ") }
    #expect(typed("n") == "n\nThe game goes on.\nann, put X: ")
  }

  @Test func `the end of the game takes the question back`() {
    shown.isGameRunning = true
    terminal.type("quit")
    let next = ConsoleViewMock()
    view.show(next)
    terminal.type("yes")
    #expect(next.lines == ["yes"])
    view.show(shown)
    terminal.type("quit")
    view.hide(shown)
    _ = terminal.takeOutput()
    terminal.type("yes")
    #expect(listener.calls.isEmpty)
  }

  @Test func `Ctrl-D in a game asks, and asks again`() {
    shown.isGameRunning = true
    let question = "End the program, and lose this game? (yes or no): "
    terminal.end()
    #expect(terminal.takeOutput() == question)
    terminal.end()
    #expect(terminal.takeOutput().hasSuffix(question))
    #expect(listener.calls.isEmpty)
    terminal.type("no")
    terminal.end()
    terminal.type("y")
    #expect(listener.calls == ["quit"])
  }

  @Test func `Ctrl-C takes the question back, and asks itself`() {
    shown.isGameRunning = true
    terminal.type("leave")
    _ = terminal.takeOutput()
    #expect(!terminal.console.interrupt())
    #expect(terminal.takeOutput().hasSuffix("press Enter: "))
    terminal.type("yes")
    #expect(shown.lines == ["yes"])
    #expect(listener.calls.isEmpty)
  }

  @Test func `the question after Ctrl-C stands until it is answered`() {
    shown.isGameRunning = true
    terminal.console.ask("> ")
    #expect(!terminal.console.interrupt())
    _ = terminal.takeOutput()
    terminal.console.say("A notice.")
    #expect(terminal.takeOutput().hasSuffix("press Enter: "))
    terminal.type("")
    #expect(terminal.takeOutput().contains("The game goes on."))
    #expect(!terminal.console.interrupt())
    #expect(terminal.console.interrupt())
  }

  @Test func `a pipe is not asked`() {
    let pipe = TestTerminal(isInteractive: false)
    let other = PlainRootView(console: pipe.console)
    other.listener = listener
    pipe.console.show(other)
    shown.isGameRunning = true
    shown.understands = false
    other.show(shown)
    pipe.feed(Array("leave\nquit\n".utf8))
    for _ in 1...2 {
      pipe.console.ask("? ")
      pipe.settle()
    }
    #expect(listener.calls == ["leave", "quit"])
  }

  @Test func `Ctrl-C outside a game, or at a pipe, ends the program at once`() {
    #expect(terminal.console.interrupt())
    let pipe = TestTerminal(isInteractive: false)
    let other = PlainRootView(console: pipe.console)
    other.listener = listener
    pipe.console.show(other)
    shown.isGameRunning = true
    other.show(shown)
    #expect(pipe.console.interrupt())
    #expect(listener.calls == ["quit", "quit"])
  }

  @Test func `the question is repeated after the answer to Ctrl-C`() {
    shown.isGameRunning = true
    terminal.console.ask("on (1 to 9): ")
    _ = terminal.takeOutput()
    _ = terminal.console.interrupt()
    #expect(terminal.takeOutput().hasSuffix("press Enter: "))
    terminal.type("")
    terminal.console.ask("on (1 to 9): ")
    #expect(terminal.takeOutput().hasSuffix("The game goes on.\non (1 to 9): "))
  }

  @Test func `the end of the input quits, and an input error is reported in a sentence`() {
    terminal.end()
    terminal.console.inputDidFail("read: Bad file descriptor")
    #expect(
      listener.calls == ["quit", "Standard input cannot be read: read: Bad file descriptor."])
  }

  @Test func `a hidden view receives no lines, and its question is withdrawn`() {
    terminal.console.ask("> ")
    _ = terminal.takeOutput()
    view.hide(shown)
    #expect(terminal.takeOutput() == "\n")
    terminal.type("start")
    #expect(shown.lines.isEmpty)
  }

  @Test func `hiding an earlier view keeps the current one`() {
    let next = ConsoleViewMock()
    view.show(next)
    view.hide(shown)
    terminal.type("1")
    #expect(next.lines == ["1"])
  }
}

private final class ConsoleViewMock: ConsoleView, ViewControllable {
  private(set) var lines: [String] = []
  var understands = true
  var isGameRunning = false
  var onLine: (String) -> Void = { _ in }

  func didType(_ line: String) -> Bool {
    lines.append(line)
    onLine(line)
    return understands
  }
}
