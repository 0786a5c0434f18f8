import Testing

@testable import Client

/// Output that cannot be written, for example because `head` has ended.
@Suite struct ConsoleOutputTests {
  @Test func `nothing is written after a failed write`() {
    var written: [String] = []
    var actions: [() -> Void] = []
    let console = Console(
      isInteractive: true,
      write: { text in
        written.append(text)
        return written.count < 2
      },
      later: { actions.append($0) })
    console.say("One.")
    console.say("Two.")
    console.say("Three.")
    console.ask("> ")
    for action in actions { action() }
    console.stopAsking()
    #expect(written == ["One.\n", "Two.\n"])
  }

  /// Notes how the input ends.
  private final class Reader: ConsoleDelegate {
    var ends: [String] = []
    func consoleDidRead(_ line: String) { ends.append(line) }
    func consoleDidEnd() { ends.append("end") }
    func consoleWillSuspend() {}
    func consoleDidContinue() {}
    func consoleDidInterrupt() -> Bool { true }
    func consoleDidFail(_ sentence: String) { ends.append("failure") }
  }

  @Test(arguments: [(true, false, "failure"), (false, false, "end"), (true, true, "end")])
  func `the end of a pipe is a lost connection where it says so`(
    endIsLoss: Bool, isInteractive: Bool, end: String
  ) {
    let reader = Reader()
    let console = Console(
      isInteractive: isInteractive, endIsLoss: endIsLoss, write: { _ in true }, later: { $0() })
    console.reader = reader
    console.ask("> ")
    console.inputDidEnd()
    #expect(reader.ends == [end])
  }
}
