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
        == "\nTo leave this game, lose it and end the program, press Ctrl-C again.\n")
    terminal.type("5")
    #expect(!terminal.console.interrupt())
    #expect(listener.calls.isEmpty)
    #expect(terminal.console.interrupt())
    #expect(listener.calls == ["quit"])
    #expect(terminal.console.interrupt())
    #expect(listener.calls == ["quit"])
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
    #expect(terminal.takeOutput().hasSuffix("press Ctrl-C again.\non (1 to 9): "))
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

  func didType(_ line: String) -> Bool {
    lines.append(line)
    return understands
  }
}
