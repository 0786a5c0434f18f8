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
}
