import Shared
import TestSupport
import Testing

@testable import Client

/// Whoever is there is never left alone by the client: it tries on as long as it takes, and where
/// the session cannot be gone on with, the lobby or the form comes, with a sentence.
@Suite struct LongOutageTests {
  /// Lets the next attempt to connect happen, and greets it.
  private func reconnect(_ client: RemoteApp) {
    client.wire.isRefusing = false
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
  }

  /// Cuts the connection, and takes the server away for a time.
  private func lose(_ client: RemoteApp, for duration: Duration) {
    client.wire.isRefusing = true
    client.server.cut()
    client.app.clock.advance(by: duration)
    client.forget()
  }

  @Test func `the client retries for hours, at most five seconds apart`() {
    for client in [RemoteApp.inLobby(), .inGame()] {
      lose(client, for: .seconds(3_600))
      let before = client.wire.attempts
      client.app.clock.advance(by: .seconds(60))
      #expect(client.wire.attempts >= before + 12)
      #expect(client.app.reports.isEmpty)
      #expect(client.app.terminal.take().contains("Still reconnecting (36"))
      client.app.type("quit")
      #expect(client.app.reports == [ExitReport(code: .ok, sentence: nil)])
      #expect(client.app.clock.next == nil)
    }
  }

  @Test func `a player in the lobby returns to it under the same name`() {
    let client = RemoteApp.inLobby()
    let offGame = client.app.shown
    lose(client, for: .seconds(600))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    #expect(client.server.take() == [#"{"type":"login","id":3,"name":"ann"}"#])
    client.server.answer(.didLogin(name: "ann", token: "new"))
    #expect(client.app.shown === offGame)
    #expect(client.app.terminal.take().hasSuffix("\nConnected again.\n> "))
    client.app.type("start bot")
    #expect(
      client.server.take() == [#"{"type":"start","id":4,"opponent":"bot","game":"tictactoe"}"#])
  }

  @Test func `the loss of a match during a game is reported in the lobby`() {
    let client = RemoteApp.inGame()
    lose(client, for: .seconds(31))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "ann", token: "new"))
    #expect(client.app.shown is OffGameRouter)
    #expect(
      client.app.terminal.take().contains(
        "Your match with bob is over: you were away for too long.\n"))
    client.server.begin(match: "n", o: "eve")
    #expect(client.app.shown is any GameRouting)
  }

  @Test func `the loss of a match between games is reported in the lobby`() {
    let client = RemoteApp.inGame()
    client.server.endGame(Outcome(winner: nil, reason: .full), score: Score(draws: 1))
    lose(client, for: .seconds(31))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "ann", token: "new"))
    let told = client.app.terminal.take()
    #expect(told.contains("To play, type: start"))
    #expect(told.contains("Your match with bob is over: you were away for too long.\n"))
  }

  @Test func `the end of a watched match is reported in the lobby`() {
    let client = RemoteApp.inLobby(as: "eve")
    client.server.begin(match: "m", you: nil)
    lose(client, for: .seconds(31))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "eve", token: "new"))
    client.server.answer(.error(.unknownMatch))
    #expect(client.app.shown is OffGameRouter)
    #expect(client.app.terminal.take().contains("The match that you watched is over.\n"))
  }

  @Test func `a name that was taken during the outage leads to the form with a sentence`() {
    let client = RemoteApp.inGame()
    lose(client, for: .seconds(31))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.nameTaken))
    #expect(client.app.shown is LoggedOutRouter)
    #expect(
      client.app.terminal.take().hasSuffix(
        "Your match with bob is over: you were away for too long."
          + " Somebody else has the name ann now. Choose another name.\n"
          + "Your name (blank: the server picks one): "))
    #expect(client.app.gameService.loginService.fields.first?.value == "ann")
    client.app.type("anna")
    #expect(client.server.take() == [#"{"type":"login","id":4,"name":"anna"}"#])
    client.server.answer(.didLogin(name: "anna", token: "other"))
    #expect(client.app.shown is OffGameRouter)
    client.server.begin(match: "n", x: "anna")
    #expect(client.app.shown is any GameRouting)
  }

  @Test func `a name that the client's own lost session may hold is retried`() {
    let client = RemoteApp.inGame()
    client.server.cut()
    reconnect(client)
    // It has used up the token, maybe.
    client.server.cut()
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.nameTaken))
    #expect(client.app.shown is any GameRouting)
    // The server closes, as nobody has logged in.
    client.server.cut()
    client.app.clock.advance(by: .seconds(31))
    client.server.greet()
    #expect(client.server.take() == [#"{"type":"resume","id":5,"token":"secret","seq":1}"#])
  }

  @Test func `the player can log in again at the form after a bye`() {
    let client = RemoteApp.inGame()
    client.server.say(.bye(.takenOver, message: "Elsewhere."))
    #expect(client.app.shown is LoggedOutRouter)
    #expect(client.app.terminal.take().contains("has closed the connection: Elsewhere.\nYour name"))
    client.app.type("ann")
    #expect(client.wire.attempts == 2)
    client.server.greet()
    #expect(client.server.take() == [#"{"type":"login","id":2,"name":"ann"}"#])
    client.server.answer(.didLogin(name: "ann", token: "new"))
    #expect(client.app.shown is OffGameRouter)
  }

  @Test func `a name from the command line is not retried after a bye`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "secret"))
    client.server.say(.bye(.takenOver))
    #expect(client.app.shown is LoggedOutRouter)
    #expect(client.wire.attempts == 1)
  }

  @Test func `a server that shuts down during a game leads to the form`() {
    let client = RemoteApp.inGame()
    client.server.endMatch(.shutdown)
    client.server.say(.bye(.shutdown))
    #expect(client.app.shown is LoggedOutRouter)
    #expect(client.app.terminal.take().contains("The server is shutting down. Come back later."))
  }

  @Test func `a connection lost before the login is opened again with the login`() {
    let client = RemoteApp()
    client.server.greet()
    client.server.end()
    #expect(client.app.reports.isEmpty)
    client.app.type("ann")
    #expect(client.wire.attempts == 2)
    client.server.greet()
    #expect(client.server.take() == [#"{"type":"login","id":1,"name":"ann"}"#])
  }
}
