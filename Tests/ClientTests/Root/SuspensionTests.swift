import Shared
import TestSupport
import Testing

@testable import Client

/// A player who presses Ctrl-Z does not look like one who thinks.
@Suite struct SuspensionTests {
  private static let suspended =
    #"{"type":"say","id":2,"text":"I have suspended my game (Ctrl-Z)."}"#

  @Test func `the opponent reads that a player suspends the program and is back`() {
    let client = RemoteApp.inGame()
    client.app.terminal.console.willSuspend()
    #expect(client.server.takeLines() == [Self.suspended])
    client.app.terminal.console.didContinue()
    #expect(client.server.takeLines() == [#"{"type":"say","id":3,"text":"I am back."}"#])
    client.app.terminal.console.didContinue()
    #expect(client.server.takeLines().isEmpty)
  }

  @Test(arguments: [false, true])
  func `the opponent reads it after an outage, too`(isNoticedLater: Bool) {
    let client = RemoteApp.inGame()
    client.app.terminal.console.willSuspend()
    client.server.answer(.pong)
    _ = client.server.takeLines()
    if isNoticedLater { client.app.terminal.console.didContinue() }
    client.server.cut()
    if !isNoticedLater { client.app.terminal.console.didContinue() }
    _ = client.server.takeLines()
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.send(client.server.snapshot())
    #expect(client.server.takeLines().count { $0.contains("I am back.") } == 1)
  }

  @Test func `between games the opponent reads it, too`() {
    let client = RemoteApp.inGame()
    client.server.endGame(Outcome(winner: nil, reason: .full), score: Score(draws: 1))
    client.app.terminal.console.willSuspend()
    #expect(client.server.takeLines() == [Self.suspended])
    client.server.endMatch(.left, by: .o)
    client.app.terminal.console.didContinue()
    #expect(client.server.takeLines().isEmpty)
  }

  @Test func `what the program says itself is not quoted when the server was away meanwhile`() {
    let client = RemoteApp.inGame()
    client.app.terminal.console.willSuspend()
    client.server.answer(.pong)
    client.discardOutput()
    client.app.terminal.console.didContinue()
    client.server.cut()
    #expect(!client.app.terminal.takeOutput().contains("back"))
  }

  @Test func `nobody reads it without a person as the opponent`() {
    let clients = [RemoteApp.inLobby(), .inLobby(), .inLobby(), .inGame()]
    clients[1].server.beginGame(match: "m", o: "bot")
    clients[2].server.beginGame(match: "m", you: nil)
    clients[3].server.cut()
    for client in clients {
      client.discardOutput()
      client.app.terminal.console.willSuspend()
      client.app.terminal.console.didContinue()
      #expect(client.server.takeLines().isEmpty)
    }
    let local = TestApp.local()
    _ = local.type("ann", "bob", "start")
    local.terminal.console.willSuspend()
    #expect(local.terminal.takeOutput().isEmpty)
  }
}
