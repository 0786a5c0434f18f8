import Testing

@testable import Client

@Suite struct InterfaceModeTests {
  private func choose(
    wantsPlain: Bool = false, isAtTerminal: Bool = true, _ environment: [String: String]
  ) -> InterfaceMode {
    InterfaceMode.choose(
      wantsPlain: wantsPlain, isAtTerminal: isAtTerminal, environment: environment)
  }

  @Test(arguments: [["TERM": "xterm"], ["TERM": "linux", "NO_COLOR": "1"]])
  func `a capable terminal gets the full screen`(_ environment: [String: String]) {
    #expect(choose(environment) == .fullScreen)
  }

  @Test func `plain lines are used on request and for a pipe`() {
    #expect(choose(wantsPlain: true, ["TERM": "xterm"]) == .plain)
    #expect(choose(isAtTerminal: false, ["TERM": "xterm"]) == .plain)
  }

  @Test(arguments: [[:], ["TERM": ""], ["TERM": "dumb"]])
  func `a dumb terminal gets plain lines`(
    _ environment: [String: String]
  ) {
    #expect(choose(environment) == .plain)
  }
}
