import Testing

@testable import Client

@Suite struct AppearanceTests {
  private func choose(
    wantsPlain: Bool = false, isAtTerminal: Bool = true, _ environment: [String: String]
  ) -> InterfaceMode {
    InterfaceMode.choose(
      wantsPlain: wantsPlain, isAtTerminal: isAtTerminal, environment: environment)
  }

  @Test(arguments: [["TERM": "xterm"], ["TERM": "linux", "NO_COLOR": ""]])
  func `a terminal that can be drawn on gets the full screen`(_ environment: [String: String]) {
    #expect(choose(environment) == .fullScreen)
  }

  @Test func `who asks for plain lines gets them, and so does a pipe`() {
    #expect(choose(wantsPlain: true, ["TERM": "xterm"]) == .plain)
    #expect(choose(isAtTerminal: false, ["TERM": "xterm"]) == .plain)
  }

  @Test(arguments: [[:], ["TERM": ""], ["TERM": "dumb"], ["TERM": "xterm", "NO_COLOR": "1"]])
  func `a simple terminal, or one that shall have no colour, gets plain lines`(
    _ environment: [String: String]
  ) {
    #expect(choose(environment) == .plain)
  }
}
