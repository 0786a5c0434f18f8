import Shared
import TestSupport
import Testing

@testable import Client

/// Every way back from an outage that ends at the form: it says why, and a login there leads to a
/// lobby that works.
@Suite struct LoginAgainTests {
  private static let noConnection = "There is no connection to the server now"

  /// Cuts the connection, and lets the client connect again.
  private func interrupt(_ client: RemoteApp) {
    client.server.cut()
    client.discardOutput()
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
  }

  /// Logs in by the form's only question, and checks that the lobby lists and starts.
  private func expectLobbyWorks(_ client: RemoteApp, as name: String, registered: Bool = false) {
    client.server.answer(.didLogin(name: name, token: "other", registered: registered))
    #expect(client.app.currentRouter is OffGameRouter)
    client.app.type("list")
    #expect(client.server.takeLines().last?.contains(#""type":"list""#) == true)
    client.server.answerLast(.players(Page([])))
    #expect(!client.app.type("start").contains(Self.noConnection))
    #expect(client.server.takeLines().last?.contains(#""type":"start""#) == true)
    client.server.beginGame(match: "n", x: name)
    client.app.type("5")
    #expect(client.server.takeLines().last?.contains(#""type":"place""#) == true)
  }

  /// A player whose session was taken up by its token, so that the password is not known.
  private func resumedPlayer() -> RemoteApp {
    let client = RemoteApp.inLobby()
    client.server.cut()
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    client.server.answer(
      .didLogin(name: "ann", token: "second", place: .lobby, registered: true))
    client.discardOutput()
    return client
  }

  @Test(arguments: ["open sesame", ""])
  func `a registered player who was resumed by token types the password, and plays on`(
    password: String
  ) {
    let client = resumedPlayer()
    interrupt(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.wrongPassword, message: "Type: login NAME PASSWORD"))
    #expect(client.app.currentRouter is LoggedOutRouter)
    #expect(!client.app.terminal.isEchoing)
    #expect(
      client.app.terminal.takeOutput().hasSuffix(
        "“ann” is registered. Type its password.\nPassword (blank: choose another name): "))
    client.app.type(password)
    if password.isEmpty { client.app.type("anna") }
    expectLobbyWorks(
      client, as: password.isEmpty ? "anna" : "ann", registered: !password.isEmpty)
  }

  @Test func `a name that somebody else has registered meanwhile is asked for with the reason`() {
    let client = RemoteApp.inLobby()
    interrupt(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.wrongPassword))
    #expect(
      client.app.terminal.takeOutput().contains(
        "Somebody else has registered the name ann meanwhile. Choose another name,"
          + " or type its password.\n"))
    client.app.type("")
    client.app.type("anna")
    expectLobbyWorks(client, as: "anna")
  }

  @Test func `a name that was taken while the data were gone leads back to the match`() {
    let client = RemoteApp.inGame()
    interrupt(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.nameTaken))
    // The client's own lost connection could have the name for a while.
    for _ in 0..<20 where !(client.app.currentRouter is LoggedOutRouter) {
      client.app.clock.advance(by: Backoff.max)
      client.server.answer(.error(.nameTaken))
    }
    #expect(client.app.currentRouter is LoggedOutRouter)
    client.app.type("ann")
    client.server.answer(.error(.nameTaken))
    #expect(client.server.takeLines().last?.contains(#""type":"resume""#) == true)
    client.server.answerLast(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.send(client.server.snapshot())
    #expect(client.app.currentRouter is any GameRouting)
  }

  /// A server without its data counts its matches from the beginning, so another match has the same id.
  @Test(arguments: [(Mark.x, "ann", "bob"), (.o, "bob", "ann"), (.x, "ann", "bot")])
  func `the match before the data were gone goes on after another one with its id`(
    you: Mark, x: String, o: String
  ) {
    let client = RemoteApp.inGame()
    client.server.move(5)
    let snapshot = client.server.snapshot()
    interrupt(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "ann", token: "other"))
    client.server.beginGame(match: "m", you: you, x: x, o: o)
    for number in 1...3 { client.server.move(number) }
    interrupt(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.nameTaken))
    #expect(client.server.takeLines().last?.contains(#""token":"secret""#) == true)
    client.server.answerLast(.didLogin(name: "ann", token: "new", place: .playing))
    client.discardOutput()
    client.server.send(snapshot)
    #expect(client.app.currentRouter is any GameRouting)
    #expect(client.app.terminal.takeOutput().contains("4 |(X)| 6"))
    #expect(client.app.exitReports.isEmpty)
  }

  @Test func `a password that was changed meanwhile is asked for`() {
    let client = RemoteApp(name: "ann")
    client.server.greet()
    client.server.answer(.error(.wrongPassword))
    client.app.type("open sesame")
    client.server.answer(.didLogin(name: "ann", token: "secret", registered: true))
    interrupt(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.wrongPassword))
    #expect(
      client.app.terminal.takeOutput().contains(
        "The password of “ann” has changed. Type the new one.\nPassword"))
    client.app.type("close sesame")
    expectLobbyWorks(client, as: "ann", registered: true)
  }

  @Test func `a password whose registration had no reply is tried`() {
    let client = RemoteApp.inLobby()
    client.app.type("register", "correct horse", "correct horse")
    #expect(client.server.takeLines().last?.contains(#""type":"register""#) == true)
    interrupt(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.wrongPassword))
    #expect(client.server.takeLines().last?.contains(#""password":"correct horse""#) == true)
    client.server.answerLast(.didLogin(name: "ann", token: "other", registered: true))
    #expect(client.app.currentRouter is OffGameRouter)
  }

  @Test(arguments: [
    (ErrorCode.nameTaken, "Somebody else has the name ann now. Choose another name."),
    (.badName, "That name is banned."),
  ])
  func `a name that is not to be had leads to the form`(code: ErrorCode, sentence: String) {
    let client = RemoteApp.inLobby()
    interrupt(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(code, message: "That name is banned."))
    #expect(client.app.terminal.takeOutput().contains(sentence + "\nYour name"))
    client.app.type("anna")
    expectLobbyWorks(client, as: "anna")
  }

  @Test func `a server that speaks another protocol or bans the address leads to the form`() {
    for isBanned in [true, false] {
      let client = RemoteApp.inGame()
      client.server.cut()
      client.app.clock.advance(by: Backoff.max)
      client.server.greet(protocolVersion: isBanned ? 1 : 2)
      if isBanned { client.server.send(.bye(.banned, retry: .seconds(60))) }
      // A match may go on, so another program at the port gets some time to leave.
      for _ in 0..<20 where !(client.app.currentRouter is LoggedOutRouter) {
        client.app.clock.advance(by: Backoff.max)
        client.server.greet(protocolVersion: 2)
      }
      #expect(client.app.currentRouter is LoggedOutRouter)
      client.app.type("ann")
      client.server.greet()
      expectLobbyWorks(client, as: "ann")
    }
  }

  @Test func `a program that answers at the port for a while costs no match`() {
    let client = RemoteApp.inGame()
    client.server.cut()
    client.app.clock.advance(by: Backoff.max)
    client.server.greet(protocolVersion: 2)
    #expect(client.app.currentRouter is any GameRouting)
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    #expect(client.app.currentRouter is any GameRouting)
    client.app.type("5")
    #expect(client.server.takeLines().last?.contains(#""type":"place""#) == true)
  }

  /// A proxy in front of a server that is down accepts connections, and closes them at once.
  @Test func `attempts that no server has answered do not put the form off`() {
    let client = RemoteApp.inLobby()
    client.server.cut()
    for _ in 0..<20 {
      client.app.clock.advance(by: Backoff.max)
      client.server.cut()
    }
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.nameTaken))
    #expect(client.app.currentRouter is LoggedOutRouter)
    #expect(client.app.terminal.takeOutput().contains("Somebody else has the name ann now."))
  }

  @Test(arguments: [false, true])
  func `a name that the client's own lost connection may hold is tried for a limited time`(
    inMatch: Bool
  ) {
    let client = inMatch ? RemoteApp.inGame() : .inLobby()
    interrupt(client)
    // This attempt may have used the token.
    interrupt(client)
    let start = client.app.clock.now
    while !(client.app.currentRouter is LoggedOutRouter),
      client.app.clock.now - start < .seconds(60)
    {
      client.server.answer(.error(.unknownToken))
      client.server.answer(.error(.nameTaken))
      client.app.clock.advance(by: .seconds(1))
    }
    let limit = inMatch ? Reconnector.detectionDelay : Outage.ghostTimeInLobby
    #expect(client.app.clock.now - start <= limit + Backoff.max)
    #expect(client.app.currentRouter is LoggedOutRouter)
  }

  @Test func `a replay that was being loaded when the session ended can be loaded again`() {
    let client = RemoteApp.inLobby()
    client.app.type("replay old")
    client.server.answer(
      .replayDidStart(
        ReplayHeader(
          match: "old", game: "tictactoe", players: PerMark(x: "ann", o: "bob"), last: 9)))
    client.server.send(.bye(.takenOver))
    client.app.type("ann")
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "other"))
    client.discardOutput()
    client.app.type("replay old")
    #expect(client.server.takeLines().last?.contains(#""type":"replay""#) == true)
  }

  /// A client on the full screen, in the lobby.
  private func screenClient(_ screen: inout Screen?) -> RemoteApp {
    var made: Screen?
    let client = RemoteApp(name: "ann") { timers in
      let screen = Screen(size: .usual, timers: timers) { _ in }
      screen.redraw(size: .usual)
      made = screen
      return screen
    }
    screen = made
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "secret", registered: true))
    client.server.answer(.players(Page([])))
    client.app.clock.advance(by: .seconds(1))
    _ = client.server.takeLines()
    return client
  }

  private func frame(of screen: Screen?) -> Frame {
    var frame = Frame(size: .usual)
    screen?.content?.draw(into: &frame)
    return frame
  }

  @Test(arguments: [false, true])
  func `keys for the lobby do not reach the form that has replaced it`(isAwaitingReply: Bool) {
    var screen: Screen?
    let client = screenClient(&screen)
    if isAwaitingReply { screen?.press(.enter) }
    client.server.send(.bye(.kicked, message: "You were kicked."))
    #expect(client.app.currentRouter is LoggedOutRouter)
    for key in [Key.character("x"), .pasted("y"), .enter] { screen?.press(key) }
    #expect(client.fixture.attemptCount == 1)
    #expect(client.app.gameService.loginService.fields.first?.value == "ann")
    #expect(frame(of: screen).position(of: "annx") == nil)
    #expect(frame(of: screen).position(of: "anny") == nil)
    client.app.clock.advance(by: Screen.holdTime)
    screen?.press(.character("a"))
    #expect(frame(of: screen).position(of: "anna") != nil)
  }

  @Test(arguments: [nil, Duration.zero])
  func `a player whose password was set types the new one, and may come back`(retry: Duration?) {
    var screen: Screen?
    let client = screenClient(&screen)
    client.server.send(.bye(.kicked, message: "Your password was set.", retry: retry))
    client.app.clock.advance(by: Screen.holdTime)
    screen?.press(.character("a"))
    let frame = frame(of: screen)
    #expect((frame.position(of: "Password") != nil) == (retry != nil))
    #expect((frame.position(of: "anna") != nil) == (retry == nil))
  }

  @Test func `the form on the screen has the field of the password at once, and no netcat words`() {
    var screen: Screen?
    let client = screenClient(&screen)
    client.server.cut()
    client.app.clock.advance(by: Backoff.min)
    client.server.greet()
    client.server.answer(.error(.unknownToken))
    client.server.answer(
      .error(
        .wrongPassword,
        message: "That name is registered. Type: login NAME PASSWORD, or choose another name."))
    let frame = frame(of: screen)
    #expect(frame.position(of: "“ann” is registered. Type its password.") != nil)
    #expect(frame.position(of: "NAME") == nil)
    #expect(frame.cursor?.row == frame.position(of: "Password")?.row)
  }
}
