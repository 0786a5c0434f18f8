import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// A client that loses its connection reconnects by itself and keeps its screen.
@Suite struct ReconnectorTests {
  private let lostNotice = "Connection lost. Reconnecting …\n"
  private let draw = Outcome(winner: nil, reason: .full)

  /// Lets the client connect again, and sends hello.
  private func reconnect(_ client: RemoteApp) {
    client.app.clock.advance(by: Backoff.min)
    client.server.greet()
  }

  private func board(of client: RemoteApp) -> Board? {
    (client.app.currentRouter as? any GameRouting)?.board
  }

  @Test(arguments: [false, true])
  func `a reconnect during a game delivers the missed events to the same proxy`(isCut: Bool) {
    let client = RemoteApp.inGame()
    client.server.move(5)
    let game = client.app.currentRouter
    if isCut { client.server.cut() } else { client.server.end() }
    #expect(client.app.terminal.takeOutput().hasSuffix(lostNotice))
    #expect(client.app.exitReports.isEmpty)
    reconnect(client)
    #expect(client.server.takeLines() == [#"{"type":"resume","id":2,"token":"secret","seq":2}"#])
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    #expect(client.app.terminal.takeOutput() == "Connected again.\n")
    client.server.move(1)
    #expect(client.app.currentRouter === game)
    #expect(client.app.terminal.takeOutput().contains("bob puts O on 1."))
    // The next resume uses the new token.
    client.server.cut()
    reconnect(client)
    #expect(client.server.takeLines() == [#"{"type":"resume","id":3,"token":"new","seq":3}"#])
  }

  @Test func `a snapshot after a reconnect replaces the board of the same game`() {
    let client = RemoteApp.inGame()
    let game = client.app.currentRouter
    client.server.cut()
    _ = client.server.nextMove(5)
    _ = client.server.nextMove(1)
    reconnect(client)
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.send(client.server.snapshot())
    #expect(client.app.currentRouter === game)
    #expect(board(of: client)?.rows == ["O..", ".X.", "..."])
    client.server.move(9)
    #expect(board(of: client)?.rows == ["O..", ".X.", "..X"])
  }

  @Test func `a snapshot of the next game after a reconnect replaces the game`() {
    let client = RemoteApp.inGame()
    let game = client.app.currentRouter
    client.server.cut()
    reconnect(client)
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.send(
      client.server.snapshot(you: .o, x: "bob", o: "ann", score: Score(draws: 1)))
    #expect(client.app.currentRouter !== game)
    #expect(client.app.terminal.takeOutput().contains("bob plays X, ann plays O."))
  }

  @Test func `a game that ended during the outage is over`() {
    let client = RemoteApp.inGame()
    client.server.cut()
    reconnect(client)
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.endGame(Outcome(winner: .o, reason: .timeout), score: Score(o: 1))
    #expect(client.app.currentRouter is OffGameRouter)
    #expect(client.app.terminal.takeOutput().contains("Your time is over: bob wins."))
  }

  @Test func `the opponent's request for the next game is shown again after a reconnect`() {
    let client = RemoteApp.inGame()
    client.server.endGame(draw, score: Score(draws: 1))
    client.server.send(.invited(from: "bob", game: "tictactoe"))
    client.server.cut()
    reconnect(client)
    client.discardOutput()
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.send(.invited(from: "bob", game: "tictactoe"))
    #expect(client.app.terminal.takeOutput().contains("bob wants to play the next game"))
  }

  @Test func `the player's request for the next game continues after a reconnect`() {
    let client = RemoteApp.inGame()
    client.server.endGame(draw, score: Score(draws: 1))
    client.app.type("start")
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    client.server.cut()
    client.discardOutput()
    reconnect(client)
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    client.server.send(.didQueue(game: "tictactoe", opponent: nil))
    #expect(client.app.terminal.takeOutput().hasSuffix("To stop waiting, type: cancel\n"))
    client.server.beginGame(you: .o, x: "bob", o: "ann", score: Score(draws: 1))
    #expect(client.app.currentRouter is any GameRouting)
  }

  @Test func `a reconnect in the lobby begins a new session under the same name`() {
    let client = RemoteApp.inLobby()
    let offGame = client.app.currentRouter
    client.server.cut()
    reconnect(client)
    #expect(client.server.takeLines() == [#"{"type":"resume","id":2,"token":"secret"}"#])
    client.server.answer(.error(.unknownToken))
    #expect(client.server.takeLines() == [#"{"type":"login","id":3,"name":"ann"}"#])
    client.server.answer(.didLogin(name: "ann", token: "new"))
    #expect(client.app.currentRouter === offGame)
    #expect(client.app.terminal.takeOutput() == "\n" + lostNotice + "> \nConnected again.\n> ")
  }

  @Test func `a match that ended during the outage leads to the lobby with a notice`() {
    let client = RemoteApp.inGame()
    client.server.cut()
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "ann", token: "new"))
    #expect(client.app.currentRouter is OffGameRouter)
    let output = client.app.terminal.takeOutput()
    #expect(output.contains("To play, type: start"))
    #expect(
      output.contains("Your match with bob is over: the server does not have it any more."))
  }

  @Test func `a spectator watches the same match after a reconnect`() {
    let client = RemoteApp.inLobby(as: "eve")
    client.server.beginGame(match: "m", you: nil)
    let game = client.app.currentRouter
    client.server.cut()
    _ = client.server.nextMove(5)
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "eve", token: "new"))
    #expect(client.server.takeLines() == [#"{"type":"watch","id":4,"match":"m"}"#])
    client.server.answer(client.server.snapshot(you: nil))
    #expect(client.app.currentRouter === game)
    #expect(board(of: client)?.rows == ["...", ".X.", "..."])
  }

  @Test(arguments: [false, true])
  func `a spectator leaves another match that has got the id of the one before`(isEarlier: Bool) {
    let client = RemoteApp.inLobby(as: "eve")
    client.server.beginGame(match: "m", you: nil)
    client.server.send(client.server.nextMove(5))
    client.server.cut()
    // A server that has lost its data gives its ids out again.
    client.server.beginGame(match: "m", you: nil, x: isEarlier ? "ann" : "zoe")
    if !isEarlier { for cell in 1...4 { _ = client.server.nextMove(cell) } }
    _ = client.server.takeLines()
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "eve", token: "new"))
    client.server.answer(
      client.server.snapshot(you: nil, x: isEarlier ? "ann" : "zoe"))
    #expect(client.server.takeLines().last?.contains(#""type":"leave""#) == true)
    client.server.answerLast(.didLeave)
    #expect(client.app.currentRouter is OffGameRouter)
    #expect(client.app.exitReports.isEmpty)
    #expect(client.app.terminal.takeOutput().contains("The match that you watched is over.\n"))
    client.app.type("list")
    #expect(client.server.takeLines().last?.contains(#""type":"list""#) == true)
  }

  @Test func `attempts become less frequent, and a script gives up after 60 seconds`() {
    let client = RemoteApp.inGame(isInteractive: false)
    client.fixture.refusesConnections = true
    client.server.cut()
    client.app.clock.advance(by: .seconds(2))
    let early = client.fixture.attemptCount
    #expect(early >= 5)
    client.app.clock.advance(by: .seconds(20))
    #expect(client.fixture.attemptCount - early <= 9)
    #expect(client.app.terminal.takeOutput().contains("Still reconnecting (1"))
    #expect(client.app.exitReports.isEmpty)
    // The server keeps the session for 30 s, and may notice the loss up to 30 s late.
    client.app.clock.advance(by: .milliseconds(37_999))
    #expect(client.app.exitReports.isEmpty)
    client.app.clock.advance(by: .milliseconds(1))
    #expect(client.app.exitReports.map(\.code) == [.unavailable])
    #expect(client.app.clock.next == nil)
  }

  @Test func `a resume that may have succeeded restarts the time before giving up`() {
    let client = RemoteApp.inGame(isInteractive: false)
    client.fixture.refusesConnections = true
    client.server.cut()
    client.app.clock.advance(by: .seconds(50))
    client.fixture.refusesConnections = false
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    #expect(client.server.takeLines() == [#"{"type":"resume","id":2,"token":"secret","seq":1}"#])
    client.fixture.refusesConnections = true
    client.server.cut()
    client.app.clock.advance(by: .seconds(59))
    #expect(client.app.exitReports.isEmpty)
    client.app.clock.advance(by: .seconds(1))
    #expect(client.app.exitReports.map(\.code) == [.unavailable])
  }

  @Test func `a script gives up a server that accepts connections but sends no hello`() {
    let client = RemoteApp.inGame(isInteractive: false)
    client.server.cut()
    for attempt in 1...20 {
      client.app.clock.advance(by: Backoff.max)
      client.server.cut()
      if attempt == 5 { #expect(client.app.exitReports.isEmpty) }
    }
    #expect(client.app.exitReports.map(\.code) == [.unavailable])
  }

  @Test(arguments: [ErrorCode.tooFast, .unavailable])
  func `a resume that is refused for a moment is repeated with the same token`(_ code: ErrorCode) {
    let client = RemoteApp.inGame()
    let game = client.app.currentRouter
    client.server.cut()
    reconnect(client)
    #expect(client.server.takeLines() == [#"{"type":"resume","id":2,"token":"secret","seq":1}"#])
    client.server.answer(.error(code, retry: .milliseconds(200)))
    client.app.clock.advance(by: Backoff.max)
    client.server.greet()
    #expect(client.server.takeLines() == [#"{"type":"resume","id":3,"token":"secret","seq":1}"#])
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    #expect(client.app.currentRouter === game)
    client.app.type("5")
    #expect(client.server.takeLines().count == 1)
  }

  @Test func `another program at the port counts as a lost connection for a while`() {
    let clock = ManualTimers()
    let reconnector = Reconnector(
      after: .lost, patience: Reconnector.Patience(ghostTime: .zero, timeout: nil),
      timers: clock, random: RandomSource(),
      attempt: { _ in CompositeCancellable() }, answer: { _ in })
    let stranger = Result<Login, LoginError>.failure(.link(.notOurServer))
    let time = Reconnector.strangerTime
    clock.advance(by: time - .milliseconds(1))
    #expect(reconnector.sparingSession(stranger) == .failure(.link(.lost)))
    #expect(reconnector.sparingSession(.failure(.link(.silent))) == .failure(.link(.silent)))
    clock.advance(by: .milliseconds(1))
    #expect(reconnector.sparingSession(stranger) == stranger)
  }

  @Test func `the retry time of a bye is respected`() {
    let client = RemoteApp.inGame()
    client.server.send(.bye(.tooSlow, message: "Slow.", retry: .seconds(7)))
    client.app.clock.advance(by: .milliseconds(6_999))
    #expect(client.fixture.attemptCount == 1)
    client.app.clock.advance(by: .milliseconds(1))
    #expect(client.fixture.attemptCount == 2)
  }

  @Test(arguments: [ByeCode.kicked, .banned])
  func `a player whom the operator keeps out is told why, and does not reconnect`(code: ByeCode) {
    for isInteractive in [true, false] {
      let client = RemoteApp.inGame(isInteractive: isInteractive)
      client.discardOutput()
      client.server.send(.bye(code, message: "Be nice.", retry: .seconds(7)))
      client.app.clock.advance(by: .seconds(3_600))
      #expect(client.fixture.attemptCount == 1)
      if isInteractive {
        // The form, from which the player may connect again.
        #expect(client.app.terminal.takeOutput().contains("Be nice.\n"))
        #expect(client.app.exitReports.isEmpty)
      } else {
        #expect(client.app.exitReports.map(\.code) == [.unavailable])
        #expect(client.app.exitReports.first?.sentence?.hasSuffix("Be nice.") == true)
      }
    }
  }

  @Test func `a bye during a reconnect ends a script`() {
    let client = RemoteApp.inGame(isInteractive: false)
    client.server.cut()
    reconnect(client)
    client.server.send(.bye(.takenOver))
    client.app.clock.advance(by: .seconds(60))
    #expect(client.app.exitReports.map(\.code) == [.unavailable])
  }

  @Test func `a half-open link is detected, and its session resumed`() {
    let client = RemoteApp.inGame()
    client.app.clock.advance(by: .seconds(10))
    #expect(client.app.terminal.takeOutput().contains(lostNotice))
    reconnect(client)
    #expect(client.server.takeLines() == [#"{"type":"resume","id":3,"token":"secret","seq":1}"#])
  }

  @Test func `commands typed during an outage are refused with a sentence`() {
    let client = RemoteApp.inGame()
    client.fixture.refusesConnections = true
    client.server.cut()
    client.discardOutput()
    let sentence = "There is no connection to the server now. Wait until it is back.\n"
    #expect(client.app.type("5").contains(sentence))
    #expect(client.app.type("resign", "yes").contains(sentence))
    #expect(
      client.app.type("say hello.").contains(
        "Not sent, because there is no connection to the server now: “hello.”\n"))
  }

  /// Otherwise the server could start a game in a session whose token never arrives.
  @Test func `no command is sent before the session is resumed`() {
    let client = RemoteApp.inLobby()
    client.server.cut()
    reconnect(client)
    client.server.answer(.error(.unknownToken))
    client.discardOutput()
    let sentence = "There is no connection to the server now. Wait until it is back.\n"
    #expect(client.app.type("start").contains(sentence))
    #expect(client.app.type("list").contains(sentence))
    #expect(client.server.takeLines().isEmpty)
    client.server.answer(.didLogin(name: "ann", token: "new"))
    client.app.type("start")
    #expect(client.server.takeLines() == [#"{"type":"start","id":4,"game":"tictactoe"}"#])
  }

  @Test func `quitting during an outage takes effect at once`() {
    let client = RemoteApp.inGame()
    client.fixture.refusesConnections = true
    client.server.cut()
    client.app.type("quit", "yes")
    #expect(client.app.exitReports == [ExitReport(code: .ok, sentence: nil)])
    #expect(client.app.clock.next == nil)
  }
}
