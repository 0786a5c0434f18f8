import Testing

@testable import Client

/// The console at a pipe or a file: each question reads one line and shows it.
@Suite struct ConsolePipeTests {
  private let terminal = TestTerminal(isInteractive: false)
  private let delegate = ConsoleDelegateMock()
  private var console: Console { terminal.console }

  init() {
    terminal.console.reader = delegate
  }

  @Test func `no line is read before a question`() {
    terminal.feed(Array("one\ntwo\n".utf8))
    #expect(delegate.calls.isEmpty)
    #expect(!console.wantsInput)
  }

  @Test func `each question reads one line and shows it`() {
    terminal.feed(Array("one\ntwo\n".utf8))
    console.ask("1? ")
    #expect(terminal.takeOutput() == "1? one\n")
    #expect(delegate.calls == [.line("one")])
    console.ask("2? ")
    #expect(terminal.takeOutput() == "2? two\n")
    #expect(delegate.calls == [.line("one"), .line("two")])
    #expect(console.wantsInput)
  }

  @Test func `a line that arrives after the question is read at once`() {
    console.ask("1? ")
    _ = terminal.takeOutput()
    terminal.feed(Array("one\n".utf8))
    #expect(terminal.takeOutput() == "one\n")
    #expect(delegate.calls == [.line("one")])
  }

  @Test func `a question that is asked while a line is handled reads the next line`() {
    delegate.onRead = { [console] line in if line != "three" { console.ask("\(line)? ") } }
    terminal.feed(Array("one\ntwo\nthree\nfour\n".utf8))
    console.ask("? ")
    #expect(terminal.takeOutput() == "? one\none? two\ntwo? three\n")
    #expect(delegate.calls == [.line("one"), .line("two"), .line("three")])
  }

  @Test func `the end of the input is reported in its turn, once`() {
    terminal.feed(Array("one".utf8))
    terminal.end()
    #expect(delegate.calls.isEmpty)
    console.ask("1? ")
    terminal.settle()
    console.ask("2? ")
    terminal.settle()
    console.ask("3? ")
    terminal.settle()
    #expect(delegate.calls == [.line("one"), .end])
  }

  @Test func `while listening, the wanted lines and the end of the input are read`() {
    terminal.feed(Array("cancel\n".utf8))
    console.listen { $0.onlyCommand == "cancel" }
    #expect(terminal.takeOutput() == "cancel\n")
    terminal.feed(Array("5\ncancel\n".utf8))
    terminal.end()
    #expect(delegate.calls == [.line("cancel")])
    console.ask("? ")
    #expect(terminal.takeOutput() == "? 5\n")
    console.listen { $0.onlyCommand == "cancel" }
    #expect(terminal.takeOutput() == "cancel\n")
    #expect(delegate.calls == [.line("cancel"), .line("5"), .line("cancel"), .end])
  }

  @Test func `while listening, the words are commands in any spelling`() {
    console.listen { ["cancel", "quit"].contains($0.onlyCommand) }
    terminal.feed(Array("CANCEL\nq\nquit now\n".utf8))
    #expect(delegate.calls == [.line("CANCEL"), .line("q")])
  }

  @Test func `the words are not read after listening stops`() {
    console.listen { $0.onlyCommand == "cancel" }
    console.stopAsking()
    terminal.feed(Array("cancel\n".utf8))
    terminal.end()
    #expect(terminal.takeOutput() == "")
    #expect(delegate.calls.isEmpty)
  }

  @Test func `an overlong line is reported in its turn, and the question stays open`() {
    let long = String(repeating: "x", count: 2_000)
    terminal.feed(Array("one\n\(long)\ntwo\n".utf8))
    #expect(terminal.takeOutput() == "")
    console.ask("1? ")
    #expect(terminal.takeOutput() == "1? one\n")
    console.ask("2? ")
    #expect(
      terminal.takeOutput()
        == "2? \nThat line is too long. A line may have up to 1024 bytes.\n2? two\n")
    #expect(delegate.calls == [.line("one"), .line("two")])
  }

  @Test func `a line that is not valid UTF-8 is reported in its turn, and is no answer`() {
    console.ask("Name: ")
    terminal.feed([0xFF] + Array("nn\nann\n".utf8))
    #expect(
      terminal.takeOutput() == "Name: \nThat line is not valid UTF-8.\nName: ann\n")
    #expect(delegate.calls == [.line("ann")])
  }

  @Test func `a line is shown without its control characters`() {
    terminal.feed(Array("a\u{1B}[2Jb\u{7}\u{9B}\n".utf8))
    console.ask("? ")
    #expect(terminal.takeOutput() == "? a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}\n")
    #expect(delegate.calls == [.line("a\u{1B}[2Jb\u{7}\u{9B}")])
  }
}
