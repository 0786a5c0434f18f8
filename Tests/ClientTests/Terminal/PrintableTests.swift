import Shared
import Testing

@testable import Client

/// No text from outside controls the terminal, whichever way it takes to the screen.
@Suite struct PrintableTests {
  @Test(arguments: ["\u{0}", "\u{7}", "\u{8}", "\t", "\r", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}"])
  func `control characters are replaced in texts and questions`(_ control: String) {
    let terminal = TestTerminal()
    terminal.console.say("a\(control)b")
    terminal.console.ask("c\(control)d")
    #expect(terminal.takeOutput() == "a\u{FFFD}b\nc\u{FFFD}d")
  }

  @Test(arguments: ["\u{202E}", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{AD}", "\u{2028}", "\r\n"])
  func `bidirectional, invisible and line-breaking characters are replaced too`(_ format: String) {
    let terminal = TestTerminal()
    terminal.console.say("a\(format)b")
    terminal.console.ask("c\(format)d")
    #expect(terminal.takeOutput() == "a\u{FFFD}b\nc\u{FFFD}d")
  }

  @Test func `line breaks and visible characters are kept`() {
    let terminal = TestTerminal()
    terminal.console.say("Żółć 🙂 👩‍👩‍👧 ❤️ e\u{301}\n日本")
    #expect(terminal.takeOutput() == "Żółć 🙂 👩‍👩‍👧 ❤️ e\u{301}\n日本\n")
  }

  @Test func `control characters in a bye are replaced`() {
    let exitReport = LinkError.bye(.idle, "\u{1B}[2JBye.").exitReport(from: .example)
    #expect(
      exitReport.sentence == "The server at example.org port 7777 has closed the connection: "
        + "\u{FFFD}[2JBye.")
  }

  @Test func `control characters in a refusal that ends a script are replaced`() {
    let client = RemoteApp(name: "ann", isInteractive: false)
    client.server.greet()
    client.server.answer(.error(.nameTaken, message: "\u{1B}[2JNo."))
    #expect(client.app.exitReports.map(\.code) == [.unavailable])
    #expect(client.app.exitReports.first?.sentence == "\u{FFFD}[2JNo.")
  }

  @Test func `format characters in a name from the server are replaced`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(.didLogin(name: "\u{202E}]0;x\u{200B}", token: nil))
    client.server.beginGame(match: "m", x: "\u{202E}]0;x\u{200B}", o: "\u{AD}2J")
    let screen = client.app.terminal.takeOutput()
    #expect(screen.contains("\u{FFFD}]0;x\u{FFFD}, put X on"))
    #expect(screen.contains("\u{FFFD}2J plays O."))
    #expect(!screen.unicodeScalars.contains { $0.properties.generalCategory == .format })
  }

  @Test func `a name with a control character in it closes the link`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(.didLogin(name: "\u{1B}]0;x\u{7}", token: nil))
    #expect(client.app.terminal.takeOutput().contains("is not a tictactoe-server that this client"))
  }
}
