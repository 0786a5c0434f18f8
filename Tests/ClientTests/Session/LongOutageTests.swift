import Shared
import TestSupport
import Testing

@testable import Client

/// An interactive client retries without limit. If the session cannot be resumed, the lobby or the
/// form is shown with a sentence.
@Suite struct LongOutageTests {
  /// Lets the client connect again, and sends hello.
  private func reconnect(_ client: RemoteApp) {
    client.fixture.refusesConnections = false
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
  }

  /// Cuts the connection and refuses new ones for a time.
  private func cutConnection(_ client: RemoteApp, for duration: Duration) {
    client.fixture.refusesConnections = true
    client.server.cut()
    client.app.clock.advance(by: duration)
    client.discardOutput()
  }

  @Test func `the client retries for hours, at most five seconds apart`() {
    for client in [RemoteApp.inLobby(), .inGame()] {
      cutConnection(client, for: .seconds(3_600))
      let before = client.fixture.attemptCount
      client.app.clock.advance(by: .seconds(60))
      #expect(client.fixture.attemptCount >= before + 12)
      #expect(client.app.exitReports.isEmpty)
      #expect(client.app.terminal.takeOutput().contains("Still reconnecting (36"))
      client.app.type("quit", "yes")
      #expect(client.app.exitReports == [ExitReport(code: .ok, sentence: nil)])
      #expect(client.app.clock.next == nil)
    }
  }

  @Test func `a player in the lobby returns to it under the same name`() {
    let client = RemoteApp.inLobby()
    let offGame = client.app.currentRouter
    cutConnection(client, for: .seconds(600))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    #expect(client.server.takeLines() == [#"{"type":"login","id":3,"name":"ann"}"#])
    client.server.answer(.didLogin(name: "ann", token: "new"))
    #expect(client.app.currentRouter === offGame)
    #expect(client.app.terminal.takeOutput().hasSuffix("\nConnected again.\n> "))
    client.app.type("start bot")
    #expect(
      client.server.takeLines() == [#"{"type":"start","id":4,"opponent":"bot","game":"tictactoe"}"#]
    )
  }

  @Test func `the loss of a match during a game is reported in the lobby`() {
    let client = RemoteApp.inGame()
    cutConnection(client, for: .seconds(31))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "ann", token: "new"))
    #expect(client.app.currentRouter is OffGameRouter)
    #expect(
      client.app.terminal.takeOutput().contains(
        "Your match with bob is over: you were away for too long.\n"))
    client.server.beginGame(match: "n", o: "eve")
    #expect(client.app.currentRouter is any GameRouting)
  }

  @Test(arguments: [
    (true, "The server was away; your match with bob is lost.\n"),
    (false, "Your match with bob is over: the server does not have it any more.\n"),
  ])
  func `only a server that restarted is named as the reason`(isRestart: Bool, sentence: String) {
    let client = RemoteApp.inGame()
    if isRestart { client.fixture.refusal = "Connection refused" }
    cutConnection(client, for: .seconds(2))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "ann", token: "new"))
    #expect(client.app.terminal.takeOutput().contains(sentence))
  }

  @Test(arguments: [SessionPlace.playing, .waiting, .lobby])
  func `a restart that loses nothing is one sentence`(place: SessionPlace) {
    for isRestart in [true, false] {
      let client = place == .playing ? RemoteApp.inGame() : .inLobby()
      if place == .waiting {
        client.app.type("start")
        client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
      }
      if isRestart { client.server.send(.bye(.shutdown, retry: .seconds(1))) }
      cutConnection(client, for: .seconds(2))
      reconnect(client)
      client.server.answer(.didLogin(name: "ann", token: "new", place: place))
      let shown = client.app.terminal.takeOutput()
      #expect(shown.contains("Connected again.\n"))
      #expect(shown.contains("The server was away.\n") == isRestart)
    }
  }

  @Test func `the loss of a match between games is reported in the lobby`() {
    let client = RemoteApp.inGame()
    client.server.endGame(Outcome(winner: nil, reason: .full), score: Score(draws: 1))
    cutConnection(client, for: .seconds(31))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "ann", token: "new"))
    let output = client.app.terminal.takeOutput()
    #expect(output.contains("To play, type: start"))
    #expect(output.contains("Your match with bob is over: you were away for too long.\n"))
  }

  @Test func `the end of a watched match is reported in the lobby`() {
    let client = RemoteApp.inLobby(as: "eve")
    client.server.beginGame(match: "m", you: nil)
    cutConnection(client, for: .seconds(31))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "eve", token: "new"))
    client.server.answer(.error(.unknownMatch))
    #expect(client.app.currentRouter is OffGameRouter)
    #expect(client.app.terminal.takeOutput().contains("The match that you watched is over.\n"))
  }

  /// A spectator who is back in the lobby, and whom the server has not let watch again yet.
  private func spectatorWhoWaits() -> RemoteApp {
    let client = RemoteApp.inLobby(as: "eve")
    client.server.beginGame(match: "m", you: nil)
    cutConnection(client, for: .seconds(2))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "eve", token: "new"))
    client.server.answer(.error(.unavailable, message: "Later.", retry: .seconds(1)))
    _ = client.server.takeLines()
    return client
  }

  @Test func `a watched match that another server takes over is asked for again`() {
    let client = spectatorWhoWaits()
    #expect(client.server.takeLines().isEmpty)
    client.app.clock.advance(by: .seconds(1))
    #expect(client.server.takeLines().map { $0.contains(#""type":"watch""#) } == [true])
    client.server.answer(client.server.snapshot(you: nil))
    #expect(client.app.currentRouter is any GameRouting)
    client.server.move(5)
    #expect(client.app.terminal.takeOutput().contains("ann puts X on 5.\n"))
  }

  @Test func `a watched match that nobody takes over is given up`() {
    let client = spectatorWhoWaits()
    for _ in 1..<15 {
      client.app.clock.advance(by: .seconds(1))
      client.server.answer(.error(.unavailable, message: "Later.", retry: .seconds(1)))
    }
    #expect(client.app.currentRouter is OffGameRouter)
  }

  @Test func `a name that was taken during the outage leads to the form with a sentence`() {
    let client = RemoteApp.inGame()
    cutConnection(client, for: .seconds(31))
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.nameTaken))
    #expect(client.app.currentRouter is LoggedOutRouter)
    #expect(
      client.app.terminal.takeOutput().hasSuffix(
        "Your match with bob is over: you were away for too long."
          + " Somebody else has the name ann now. Choose another name.\n"
          + "Your name (blank: the server picks one): "))
    #expect(client.app.gameService.loginService.fields.first?.value == "ann")
    client.app.type("anna")
    #expect(client.server.takeLines() == [#"{"type":"login","id":4,"name":"anna"}"#])
    client.server.answer(.didLogin(name: "anna", token: "other"))
    #expect(client.app.currentRouter is OffGameRouter)
    client.server.beginGame(match: "n", x: "anna")
    #expect(client.app.currentRouter is any GameRouting)
  }

  @Test func `a name that the client's own lost session may hold is retried`() {
    let client = RemoteApp.inGame()
    client.server.cut()
    reconnect(client)
    // The first resume may have spent the token.
    client.server.cut()
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.nameTaken))
    #expect(client.app.currentRouter is any GameRouting)
    // The server closes the connection because of the login timeout.
    client.server.cut()
    client.app.clock.advance(by: .seconds(31))
    client.server.greet()
    #expect(client.server.takeLines() == [#"{"type":"resume","id":5,"token":"secret","seq":1}"#])
  }

  @Test func `the player can log in again at the form after a bye`() {
    let client = RemoteApp.inGame()
    client.server.send(.bye(.takenOver, message: "Elsewhere."))
    #expect(client.app.currentRouter is LoggedOutRouter)
    #expect(
      client.app.terminal.takeOutput().contains(
        "has closed the connection: Elsewhere. Your match with bob goes on there.\nYour name"))
    client.app.type("ann")
    #expect(client.fixture.attemptCount == 2)
    client.server.greet()
    #expect(client.server.takeLines() == [#"{"type":"login","id":2,"name":"ann"}"#])
    client.server.answer(.didLogin(name: "ann", token: "new"))
    #expect(client.app.currentRouter is OffGameRouter)
  }

  @Test func `a name from the command line is not retried after a bye`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "secret"))
    client.server.send(.bye(.takenOver))
    #expect(client.app.currentRouter is LoggedOutRouter)
    #expect(client.fixture.attemptCount == 1)
  }

  @Test func `a server that shuts down during a game leads to the form`() {
    let client = RemoteApp.inGame()
    client.server.endMatch(.shutdown)
    client.server.send(.bye(.shutdown))
    #expect(client.app.currentRouter is LoggedOutRouter)
    #expect(
      client.app.terminal.takeOutput().contains("The server is shutting down. Come back later."))
  }

  @Test func `a connection lost before the login is opened again with the login`() {
    let client = RemoteApp()
    client.server.greet()
    client.server.end()
    #expect(client.app.exitReports.isEmpty)
    client.app.type("ann")
    #expect(client.fixture.attemptCount == 2)
    client.server.greet()
    #expect(client.server.takeLines() == [#"{"type":"login","id":1,"name":"ann"}"#])
  }
}
