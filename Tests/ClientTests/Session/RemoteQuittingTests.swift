import Shared
import TestSupport
import Testing

@testable import Client

/// How the client ends, from every state.
@Suite struct RemoteQuittingTests {
  private let fine = ExitReport(code: .ok, sentence: nil)

  @Test func `before the greeting it ends at once`() {
    let client = RemoteApp()
    client.app.type("quit")
    #expect(client.app.reports == [fine])
  }

  @Test func `at the form, in the lobby and in a game it ends with the server's goodbye`() {
    let form = RemoteApp()
    form.server.greet()
    for (client, id) in [(form, 1), (.inLobby(), 2), (.inGame(), 2)] {
      client.forget()
      client.app.type(" quit ")
      #expect(client.server.take() == [#"{"type":"quit","id":\#(id)}"#])
      #expect(client.app.reports.isEmpty)
      client.server.say(.bye(.quit))
      #expect(client.app.reports == [fine])
      #expect(client.app.shown == nil)
    }
  }

  @Test func `the end of the input is quit`() {
    let client = RemoteApp.inGame()
    client.app.terminal.end()
    #expect(client.server.take() == [#"{"type":"quit","id":2}"#])
  }

  @Test func `twice is once`() {
    let client = RemoteApp.inLobby()
    client.app.type("quit", "quit")
    client.app.terminal.end()
    #expect(client.server.take() == [#"{"type":"quit","id":2}"#])
    client.server.say(.bye(.quit))
    client.app.clock.advance(by: .seconds(60))
    #expect(client.app.reports == [fine])
  }

  @Test func `a server that says no goodbye is not waited for`() {
    let client = RemoteApp.inLobby()
    client.app.type("quit")
    client.app.clock.advance(by: RemoteGameService.quitTimeout - .milliseconds(1))
    #expect(client.app.reports.isEmpty)
    client.app.clock.advance(by: .milliseconds(1))
    #expect(client.app.reports == [fine])
  }

  @Test func `a connection that is lost meanwhile is as good as a goodbye`() {
    let client = RemoteApp.inLobby()
    client.app.type("quit")
    client.server.cut()
    #expect(client.app.reports == [fine])
  }

  @Test func `whatever the server still tells is not shown`() {
    let client = RemoteApp.inLobby()
    client.app.type("start")
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    client.app.type("quit")
    client.forget()
    client.server.begin(match: "m")
    client.server.move(1)
    client.server.endGame(Outcome(winner: .o, reason: .left))
    client.server.endMatch(.left, by: .x)
    client.server.say(.error(.internal))
    #expect(client.app.terminal.take() == "")
    #expect(client.app.shown == nil)
  }

  @Test func `a login that is answered afterwards logs nobody in`() {
    let client = RemoteApp()
    client.server.greet()
    client.app.type("ann")
    _ = client.server.take()
    client.app.type("quit")
    _ = client.app.terminal.take()
    client.server.say(.didLogin(name: "ann", token: nil), re: .integer(1))
    #expect(client.app.terminal.take() == "")
    #expect(client.app.shown == nil)
  }
}
