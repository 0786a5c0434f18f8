import Shared
import Testing

@testable import Client

/// How local play ends, from every state.
@Suite struct LocalQuittingTests {
  private static let ways = [
    [], ["ann"], ["ann", "bob"], ["ann", "bob", "start", "5"],
    ["ann", "bob", "start", "1", "resign", "yes"],
  ]

  @Test(arguments: ways) func `quit ends the program`(_ lines: [String]) {
    let app = TestApp.local()
    for line in lines { app.type(line) }
    app.type("quit")
    if lines.last == "5" { app.type("yes") }
    #expect(app.exitReports == [ExitReport(code: .ok, sentence: nil)])
    #expect(app.currentRouter == nil)
    #expect(app.type("1") == "1\n")
  }

  @Test(arguments: ways) func `the end of the input ends the program`(_ lines: [String]) {
    let app = TestApp.local()
    for line in lines { app.type(line) }
    _ = app.terminal.takeOutput()
    app.terminal.end()
    if lines.last == "5" { app.type("yes") } else { #expect(app.terminal.takeOutput() == "\n") }
    #expect(app.exitReports == [ExitReport(code: .ok, sentence: nil)])
  }
}
