import Testing

@testable import Client

/// The console at a terminal, which shows what is typed.
@Suite struct ConsoleTests {
  private let terminal = TestTerminal()
  private let reader = RecordingReader()
  private var console: Console { terminal.console }

  init() {
    terminal.console.reader = reader
  }

  @Test func `a question stands behind the text that came before it`() {
    console.ask("Name: ")
    console.say("Welcome.")
    #expect(terminal.take() == "Welcome.\nName: ")
  }

  @Test func `texts and questions of one moment end in one question`() {
    console.ask("> ")
    console.say("One.")
    console.ask("> ")
    console.say("Two.")
    console.ask("? ")
    #expect(terminal.take() == "One.\nTwo.\n? ")
  }

  @Test func `text that comes while a question is open is followed by the question again`() {
    console.ask("Name: ")
    #expect(terminal.take() == "Name: ")
    console.say("Somebody has come.")
    #expect(terminal.take() == "\nSomebody has come.\nName: ")
  }

  @Test func `a question that somebody else has wiped away is shown again, where there is one`() {
    console.showAgain()
    #expect(terminal.take() == "")
    console.ask("> ")
    _ = terminal.take()
    console.showAgain()
    #expect(terminal.take() == "> ")
  }

  @Test func `the same question is not asked twice`() {
    console.ask("> ")
    _ = terminal.take()
    console.ask("> ")
    #expect(terminal.take() == "")
  }

  @Test func `another question takes the place of the open one`() {
    console.ask("One? ")
    _ = terminal.take()
    console.ask("Two? ")
    #expect(terminal.take() == "\nTwo? ")
  }

  @Test func `a question that is taken back leaves the cursor at the start of a line`() {
    console.ask("> ")
    _ = terminal.take()
    console.stopAsking()
    console.stopAsking()
    #expect(terminal.take() == "\n")
    console.say("Bye.")
    #expect(terminal.take() == "Bye.\n")
  }

  @Test func `a question that is taken back before anybody saw it leaves no trace`() {
    console.ask("> ")
    console.stopAsking()
    #expect(terminal.take() == "")
  }

  @Test func `a line is taken whenever it is typed`() {
    terminal.type("one")
    console.ask("> ")
    terminal.type("two")
    #expect(reader.calls == [.line("one"), .line("two")])
    #expect(console.wantsInput)
  }

  @Test func `an answered question is not asked again by itself`() {
    console.ask("> ")
    _ = terminal.take()
    terminal.type("one")
    console.say("Fine.")
    #expect(terminal.take() == "one\nFine.\n")
  }

  @Test func `a line that comes in pieces is one line`() {
    for piece in ["st", "ar", "t\nli", "st\n"] { terminal.feed(Array(piece.utf8)) }
    #expect(reader.calls == [.line("start"), .line("list")])
  }

  @Test func `an overlong line is refused and the question asked again`() {
    console.ask("> ")
    _ = terminal.take()
    terminal.feed(Array(repeating: UInt8(ascii: "x"), count: 5_000))
    terminal.feed([0x0A])
    #expect(reader.calls.isEmpty)
    #expect(terminal.take() == "That line is too long. A line may have up to 1024 bytes.\n> ")
  }

  @Test func `the longest line is taken whole`() {
    let line = String(repeating: "x", count: Console.maxLineLength)
    terminal.type(line)
    #expect(reader.calls == [.line(line)])
  }

  @Test func `the end of the input is told once, behind a last line without a newline`() {
    terminal.feed(Array("qu".utf8))
    terminal.end()
    console.ask("> ")
    terminal.settle()
    #expect(reader.calls == [.line("qu"), .end])
  }

  @Test func `input that fails is told in a sentence`() {
    console.inputDidFail("read: Input/output error")
    #expect(
      reader.calls == [.failure("Standard input cannot be read: read: Input/output error.")])
  }

  @Test func `bytes that are no UTF-8 are replaced, and nothing else`() {
    terminal.feed([0x61, 0xFF, 0x62, 0x0A])
    #expect(reader.calls == [.line("a\u{FFFD}b")])
  }
}
