import Testing

@testable import Client

/// The console at a terminal, which echoes the input.
@Suite struct ConsoleTests {
  private let terminal = TestTerminal()
  private let delegate = ConsoleDelegateMock()
  private var console: Console { terminal.console }

  init() {
    terminal.console.reader = delegate
  }

  @Test func `a question is shown after the texts`() {
    console.ask("Name: ")
    console.say("Welcome.")
    #expect(terminal.takeOutput() == "Welcome.\nName: ")
  }

  @Test func `texts and questions of one turn end in one question`() {
    console.ask("> ")
    console.say("One.")
    console.ask("> ")
    console.say("Two.")
    console.ask("? ")
    #expect(terminal.takeOutput() == "One.\nTwo.\n? ")
  }

  @Test func `a text that interrupts a question is followed by the question`() {
    console.ask("Name: ")
    #expect(terminal.takeOutput() == "Name: ")
    console.say("Somebody has come.")
    #expect(terminal.takeOutput() == "\nSomebody has come.\nName: ")
  }

  @Test func `what was typed of a line stays, and is seen`() {
    console.ask("> ")
    terminal.settle()
    terminal.begin("1 ")
    console.say("Somebody has come.")
    #expect(terminal.takeOutput() == "> 1 \nSomebody has come.\n> 1 ")
    terminal.finish("5")
    #expect(delegate.calls == [.line("1 5")])
    console.ask("> ")
    terminal.finish("6")
    #expect(delegate.calls == [.line("1 5"), .line("6")])
  }

  @Test func `what was typed for one question does not begin the answer to another`() {
    console.ask("> ")
    terminal.settle()
    terminal.begin("start")
    console.say("Connection lost.")
    terminal.settle()
    terminal.begin(" bot")
    console.ask("Your name: ")
    terminal.settle()
    terminal.finish("ann")
    #expect(delegate.calls == [.line("ann")])
  }

  @Test func `what was typed without a question stands on a line of its own`() {
    terminal.begin("hello")
    console.say("Still waiting.")
    #expect(terminal.takeOutput() == "hello\nStill waiting.\nhello")
    console.say("Still waiting.")
    #expect(terminal.takeOutput() == "\nStill waiting.\nhello")
    terminal.finish(" you")
    #expect(delegate.calls == [.line("hello you")])
    console.say("Over.")
    #expect(terminal.takeOutput() == " you\nOver.\n")
  }

  @Test func `what was typed before a question of whether to go on is no answer`() {
    var answers: [String] = []
    console.ask("> ")
    terminal.settle()
    terminal.begin("yes")
    console.confirm("Resign? ") { answers.append($0) }
    terminal.settle()
    terminal.finish("no")
    #expect(answers == ["no"])
  }

  @Test func `Ctrl-C and a question for a secret forget what was typed of a line`() {
    console.ask("> ")
    terminal.settle()
    terminal.begin("1 ")
    console.say("Somebody has come.")
    terminal.settle()
    _ = console.interrupt()
    terminal.finish("5")
    console.ask("> ")
    _ = terminal.takeOutput()
    terminal.begin("ab")
    console.ask("Password: ", isSecret: true)
    terminal.settle()
    #expect(terminal.takeOutput() == "ab\nPassword: ")
    terminal.finish("open sesame")
    #expect(delegate.calls == [.line("5"), .line("open sesame")])
  }

  @Test(arguments: [true, false])
  func `what is typed without a question begins the answer to one that takes it`(takes: Bool) {
    terminal.begin("say I would take ")
    console.say("bob puts O on 1.")
    console.ask("Move: ", takesTyped: takes)
    terminal.settle()
    #expect(
      terminal.takeOutput().hasSuffix(takes ? "Move: say I would take " : "Move: "))
    terminal.finish("9")
    #expect(delegate.calls == [.line(takes ? "say I would take 9" : "9")])
  }

  @Test func `the rest of a secret whose question was withdrawn is no answer to the next one`() {
    console.ask("Password: ", isSecret: true)
    terminal.settle()
    terminal.begin("hunter2")
    console.stopAsking()
    console.ask("Move: ", takesTyped: true)
    terminal.settle()
    _ = terminal.takeOutput()
    terminal.begin("-secret")
    console.say("bob puts O on 1.")
    #expect(!terminal.takeOutput().contains("secret"))
    terminal.finish("5")
    terminal.settle()
    #expect(delegate.calls.isEmpty)
    let output = terminal.takeOutput()
    #expect(!output.contains("5") && !output.contains("secret"))
    #expect(output.hasSuffix("a password. Type what you want again.\nMove: "))
    #expect(terminal.isEchoing)
    terminal.finish("6")
    #expect(delegate.calls == [.line("6")])
  }

  @Test func `Ctrl-C ends the secret, so that the next line counts`() {
    console.ask("Password: ", isSecret: true)
    terminal.settle()
    terminal.begin("hunter2")
    console.ask("Move: ")
    terminal.settle()
    _ = console.interrupt()
    #expect(terminal.isEchoing)
    terminal.finish("5")
    #expect(delegate.calls == [.line("5")])
  }

  @Test func `Ctrl-C behind a shown line erases it, and the next one ends the program`() {
    console.ask("> ")
    terminal.settle()
    terminal.begin("sta")
    console.say("Somebody has come.")
    terminal.settle()
    _ = terminal.takeOutput()
    #expect(!console.interrupt())
    terminal.settle()
    #expect(terminal.takeOutput() == "\n> ")
    #expect(console.interrupt())
  }

  @Test func `what is pasted together with a command does not answer its question`() {
    var answers: [String] = []
    console.ask("> ")
    _ = terminal.takeOutput()
    delegate.onRead = { [console] _ in console.confirm("Resign? ") { answers.append($0) } }
    terminal.feed(Array("resign\nyes\n".utf8))
    #expect(answers == [""])
    terminal.feed(Array("resign\n".utf8))
    terminal.feed(Array("yes\n".utf8))
    #expect(answers == ["", "yes"])
  }

  @Test func `an open question is shown again after another program's output`() {
    console.showAgain()
    #expect(terminal.takeOutput() == "")
    console.ask("> ")
    _ = terminal.takeOutput()
    console.showAgain()
    #expect(terminal.takeOutput() == "> ")
  }

  @Test func `an open question is shown once when the program continues`() {
    console.ask("> ")
    _ = terminal.takeOutput()
    console.willSuspend()
    console.didContinue()
    // For the signal that continues the program.
    console.showAgain()
    #expect(terminal.takeOutput() == "> ")
  }

  @Test func `an open question is shown once if an event arrives when the program continues`() {
    console.ask("> ")
    _ = terminal.takeOutput()
    console.willSuspend()
    console.didContinue()
    console.say("Somebody has come.")
    terminal.settle()
    console.showAgain()
    #expect(terminal.takeOutput() == "Somebody has come.\n> ")
    // The next time, another program may have used the terminal.
    console.showAgain()
    #expect(terminal.takeOutput() == "> ")
  }

  @Test func `the same question is not asked twice`() {
    console.ask("> ")
    _ = terminal.takeOutput()
    console.ask("> ")
    #expect(terminal.takeOutput() == "")
  }

  @Test func `another question replaces the open one`() {
    console.ask("One? ")
    _ = terminal.takeOutput()
    console.ask("Two? ")
    #expect(terminal.takeOutput() == "\nTwo? ")
  }

  @Test func `a withdrawn question leaves the cursor at the start of a line`() {
    console.ask("> ")
    _ = terminal.takeOutput()
    console.stopAsking()
    console.stopAsking()
    #expect(terminal.takeOutput() == "\n")
    console.say("Bye.")
    #expect(terminal.takeOutput() == "Bye.\n")
  }

  @Test func `a question withdrawn before it is shown leaves no trace`() {
    console.ask("> ")
    console.stopAsking()
    #expect(terminal.takeOutput() == "")
  }

  @Test func `a line is read whenever it is typed`() {
    terminal.type("one")
    console.ask("> ")
    terminal.type("two")
    #expect(delegate.calls == [.line("one"), .line("two")])
    #expect(console.wantsInput)
  }

  @Test func `an answered question is not repeated`() {
    console.ask("> ")
    _ = terminal.takeOutput()
    terminal.type("one")
    console.say("Fine.")
    #expect(terminal.takeOutput() == "one\nFine.\n")
  }

  @Test func `a line that arrives in pieces is one line`() {
    for piece in ["st", "ar", "t\nli", "st\n"] { terminal.feed(Array(piece.utf8)) }
    #expect(delegate.calls == [.line("start"), .line("list")])
  }

  @Test func `an overlong line is refused, and the question repeated`() {
    console.ask("> ")
    _ = terminal.takeOutput()
    terminal.feed(Array(repeating: UInt8(ascii: "x"), count: 5_000))
    terminal.feed([0x0A])
    #expect(delegate.calls.isEmpty)
    #expect(terminal.takeOutput() == "That line is too long. A line may have up to 1024 bytes.\n> ")
  }

  @Test func `a line that is not valid UTF-8 is refused, and the question repeated`() {
    console.ask("> ")
    _ = terminal.takeOutput()
    terminal.feed([0xB0, 0xA1] + Array("nn\n".utf8))
    #expect(delegate.calls.isEmpty)
    #expect(
      terminal.takeOutput() == "That line is not valid UTF-8.\n> ")
  }

  @Test func `without UTF-8, only ASCII is written and read`() {
    let terminal = TestTerminal(characters: .onlyASCII)
    terminal.console.reader = delegate
    terminal.console.say("“Jürgen” says: 안녕 …")
    #expect(terminal.takeOutput() == "\"J?rgen\" says: ???? .\n")
    // Valid UTF-8 too, by chance.
    for bytes in [[0xC2, 0xA5], [0xB0, 0xA1]] as [[UInt8]] { terminal.feed(bytes + [0x0A]) }
    let refusal = CharacterRange.refusal + "\n"
    #expect(terminal.takeOutput() == refusal + refusal)
    terminal.type("help")
    #expect(delegate.calls == [.line("help")])
  }

  @Test(arguments: [
    ("\u{1B}]11;rgb:00/00/00\u{1B}\\b", "b"), ("help\u{1B}[D\u{1B}[A", "help"), ("a\tb", "a\tb"),
    ("2\u{1B}", "2"), ("\u{1B}[<0;5;3Msay 안녕 e\u{301}", "say 안녕 e\u{301}"),
  ])
  func `a terminal's replies and keys without a character are no text`(typed: String, line: String)
  {
    terminal.type(typed)
    #expect(delegate.calls == [.line(line)])
  }

  @Test func `the longest allowed line is read`() {
    let line = String(repeating: "x", count: LineReader.maxLength)
    terminal.type(line)
    #expect(delegate.calls == [.line(line)])
  }

  @Test func `the end of the input is reported once, after an unterminated last line`() {
    terminal.feed(Array("qu".utf8))
    terminal.end()
    console.ask("> ")
    terminal.settle()
    #expect(delegate.calls == [.line("qu"), .end])
  }

  @Test func `an input error is reported in a sentence`() {
    console.inputDidFail("read: Input/output error")
    #expect(
      delegate.calls == [.failure("Standard input cannot be read: read: Input/output error.")])
  }
}
