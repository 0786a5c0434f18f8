import Shared
import TestSupport
import Testing

@testable import Client

/// How a remote client ends, from every state.
@Suite struct RemoteQuittingTests {
  private let success = ExitReport(code: .ok, sentence: nil)

  @Test func `quitting before hello ends the client at once`() {
    let client = RemoteApp()
    client.app.type("quit")
    #expect(client.app.exitReports == [success])
  }

  @Test func `quitting after hello ends the client with the server's bye`() {
    let form = RemoteApp()
    form.server.greet()
    let game = RemoteApp.inGame()
    for (client, id) in [(form, 1), (.inLobby(), 2), (game, 2)] {
      client.discardOutput()
      client.app.type(" quit ")
      if client === game { client.app.type("yes") }
      #expect(client.server.takeLines() == [#"{"type":"quit","id":\#(id)}"#])
      #expect(client.app.exitReports.isEmpty)
      client.server.send(.bye(.quit))
      #expect(client.app.exitReports == [success])
      #expect(client.app.currentRouter == nil)
    }
  }

  @Test func `the end of the input quits, and asks first in a game`() {
    let client = RemoteApp.inGame()
    client.app.terminal.end()
    #expect(client.server.takeLines().isEmpty)
    client.app.type("yes")
    #expect(client.server.takeLines() == [#"{"type":"quit","id":2}"#])
  }

  @Test func `quitting twice sends one command`() {
    let client = RemoteApp.inLobby()
    client.app.type("quit", "quit")
    client.app.terminal.end()
    #expect(client.server.takeLines() == [#"{"type":"quit","id":2}"#])
    client.server.send(.bye(.quit))
    client.app.clock.advance(by: .seconds(60))
    #expect(client.app.exitReports == [success])
  }

  @Test func `a server that sends no bye is given up after the quit timeout`() {
    let client = RemoteApp.inLobby()
    client.app.type("quit")
    client.app.clock.advance(by: RemoteGameService.quitTimeout - .milliseconds(1))
    #expect(client.app.exitReports.isEmpty)
    client.app.clock.advance(by: .milliseconds(1))
    #expect(client.app.exitReports == [success])
  }

  @Test func `a lost connection after quit ends the client`() {
    let client = RemoteApp.inLobby()
    client.app.type("quit")
    client.server.cut()
    #expect(client.app.exitReports == [success])
  }

  @Test func `events after quit are not shown`() {
    let client = RemoteApp.inLobby()
    client.app.type("start")
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    client.app.type("quit")
    client.discardOutput()
    client.server.beginGame(match: "m")
    client.server.move(1)
    client.server.endGame(Outcome(winner: .o, reason: .left))
    client.server.endMatch(.left, by: .x)
    client.server.send(.error(.internal))
    #expect(client.app.terminal.takeOutput() == "")
    #expect(client.app.currentRouter == nil)
  }

  @Test func `a login that is answered after quit is ignored`() {
    let client = RemoteApp()
    client.server.greet()
    client.app.type("ann")
    _ = client.server.takeLines()
    client.app.type("quit")
    _ = client.app.terminal.takeOutput()
    client.server.send(.didLogin(name: "ann", token: nil), re: .integer(1))
    #expect(client.app.terminal.takeOutput() == "")
    #expect(client.app.currentRouter == nil)
  }
}
