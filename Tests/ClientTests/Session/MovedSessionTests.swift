import Shared
import TestSupport
import Testing

@testable import Client

/// A session that the server moves to another server of several, in plain lines.
@Suite struct MovedSessionTests {
  private let news = "Your session continues at node2 port 7001.\n"
  private let resume = #"{"type":"resume","id":2,"token":"secret"}"#
  private let draw = Outcome(winner: nil, reason: .full)

  @Test func `a moved session continues at the other server with one line`() {
    let client = RemoteApp.inLobby()
    client.move()
    #expect(client.fixture.hosts == ["example.org", "node2"])
    #expect(client.server.takeLines() == [resume])
    client.arrive(at: .lobby)
    #expect(client.app.terminal.takeOutput() == "\n" + news + "> ")
    client.app.type("start bot")
    #expect(client.server.takeLines().last?.contains(#""opponent":"bot""#) == true)
  }

  @Test(arguments: [
    "start", "start bob", "start anyone", "join k7w2mx", "open",
  ])
  func `a request that is answered by a move goes through without being repeated`(_ line: String) {
    let client = RemoteApp.inLobby()
    client.server.send(.invited(from: "bob", game: "tictactoe"))
    client.app.type(line)
    #expect(client.server.takeLines().count == 1)
    client.discardOutput()
    client.move(answering: true)
    client.arrive(at: .playing) {
      client.server.beginGame(match: "m", you: .o, x: "bob", o: "ann")
    }
    let screen = client.app.terminal.takeOutput()
    #expect(screen.contains("bob plays X, ann plays O.\n"))
    #expect(!screen.contains("connection"))
    #expect(!screen.contains("again"))
    #expect(client.server.takeLines().isEmpty)
    #expect(client.app.currentRouter is any GameRouting)
  }

  @Test func `a game that begins after the resume begins as usual`() {
    let client = RemoteApp.inLobby()
    client.app.type("start")
    client.move(answering: true)
    client.arrive(at: .waiting)
    #expect(client.server.takeLines().isEmpty)
    client.discardOutput()
    client.server.beginGame(match: "m", you: .o, x: "bob", o: "ann", score: Score(x: 2))
    client.server.move(5)
    let screen = client.app.terminal.takeOutput()
    client.app.type("1")
    #expect(client.server.takeLines().last?.contains(#""row":0,"col":0"#) == true)
    #expect(screen.contains("bob plays X, ann plays O.\n"))
    #expect(screen.contains("bob puts X on 5."))
  }

  @Test func `a snapshot also begins the game, with the names, the marks and the score`() {
    let client = RemoteApp.inLobby()
    client.app.type("start")
    client.move(answering: true)
    client.arrive(at: .playing) {
      client.server.send(
        client.server.snapshot(you: .o, x: "bob", o: "ann", score: Score(x: 1, o: 2)))
    }
    #expect(client.app.terminal.takeOutput().contains("bob plays X, ann plays O."))
  }

  @Test func `a request that the other server does not know is sent again`() {
    let client = RemoteApp.inLobby()
    client.app.type("start bob")
    client.move(answering: true)
    client.arrive(at: .lobby)
    #expect(
      client.server.takeLines() == [
        #"{"type":"start","id":5,"opponent":"bob","game":"tictactoe"}"#
      ])
    client.server.answer(.error(.unknownPlayer))
    #expect(client.app.terminal.takeOutput().contains("There is no such player."))
  }

  @Test func `a watch is sent again at the server of the match`() {
    let client = RemoteApp.inLobby(as: "eve")
    client.app.type("watch m")
    client.discardOutput()
    client.move(answering: true)
    client.arrive(at: .lobby)
    #expect(client.server.takeLines() == [#"{"type":"watch","id":5,"match":"m"}"#])
    client.server.answer(client.server.snapshot(you: nil))
    let screen = client.app.terminal.takeOutput()
    #expect(screen.contains("ann plays X, bob plays O.\n"))
    #expect(!screen.contains("no connection"))
  }

  @Test(arguments: [SessionPlace?.none, .lobby])
  func `a spectator whose session is new watches the match again`(_ place: SessionPlace?) {
    let client = RemoteApp.inLobby(as: "eve")
    client.server.beginGame(match: "m", you: nil)
    let game = client.app.currentRouter
    client.discardOutput()
    client.move()
    #expect(client.arrive(at: place).first == #"{"type":"watch","id":3,"match":"m"}"#)
    client.server.send(client.server.snapshot(you: nil), re: .integer(3))
    client.server.move(5)
    #expect(client.app.currentRouter === game)
    #expect(client.app.terminal.takeOutput().contains("ann puts X on 5.\n"))
  }

  @Test func `commands typed before the session continues wait for it`() {
    let client = RemoteApp.inLobby()
    client.server.send(.moved(to: "node2:7001"))
    client.app.type("start bot")
    client.follow()
    #expect(client.server.takeLines() == [resume])
    client.server.answer(.didLogin(name: "ann", token: "new", place: .lobby))
    client.app.type("cancel")
    #expect(client.server.takeLines() == [#"{"type":"ping","id":3}"#])
    client.server.answer(.pong)
    #expect(
      client.server.takeLines().map { $0.contains("start") || $0.contains("cancel") }
        == [true, true])
    #expect(!client.app.terminal.takeOutput().contains("no connection"))
  }

  @Test func `a game moves without a word but one line`() {
    let client = RemoteApp.inGame()
    client.server.move(5)
    let game = client.app.currentRouter
    client.discardOutput()
    client.move()
    #expect(client.server.takeLines() == [#"{"type":"resume","id":2,"token":"secret","seq":2}"#])
    client.arrive(at: .playing)
    #expect(client.app.terminal.takeOutput() == news)
    client.server.move(1)
    #expect(client.app.currentRouter === game)
    #expect(client.app.terminal.takeOutput().contains("bob puts O on 1."))
  }

  @Test(arguments: [false, true])
  func `a move that has no reply is made exactly once`(wasCarriedOut: Bool) {
    let client = RemoteApp.inGame()
    client.app.type("5")
    client.move()
    client.arrive(at: .playing) { if wasCarriedOut { client.server.move(5) } }
    #expect(
      client.server.takeLines()
        == (wasCarriedOut ? [] : [#"{"type":"place","id":5,"row":1,"col":1}"#]))
    #expect(!client.app.terminal.takeOutput().contains("no connection"))
  }

  @Test(arguments: [false, true])
  func `a remark that has no reply is made exactly once`(wasCarriedOut: Bool) {
    let client = RemoteApp.inGame()
    client.app.type("say good luck")
    client.move()
    client.arrive(at: .playing) {
      guard wasCarriedOut else { return }
      client.server.send(
        client.server.nextEvent(.didSay(from: "ann", mark: .x, text: "good luck")))
    }
    #expect(client.server.takeLines().count == (wasCarriedOut ? 0 : 1))
    #expect(!client.app.terminal.takeOutput().contains("sent"))
  }

  @Test(arguments: [false, true])
  func `a request for the next game stands as long as the server repeats it`(stands: Bool) {
    let client = RemoteApp.inGame()
    client.server.endGame(draw, score: Score(draws: 1))
    client.app.type("start")
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    client.discardOutput()
    client.move()
    client.arrive(at: .playing) {
      if stands { client.server.send(.didQueue(game: "tictactoe", opponent: nil)) }
    }
    let screen = client.app.terminal.takeOutput()
    #expect(screen.hasPrefix(news))
    #expect((screen == news) == stands)
  }

  @Test func `a wait goes on without being shown again`() {
    let client = RemoteApp.inLobby()
    client.app.type("open")
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil, code: "k7w2mx"))
    client.discardOutput()
    client.move()
    client.arrive(at: .waiting) {
      client.server.send(.didQueue(game: "tictactoe", opponent: nil, code: "k7w2mx"))
    }
    #expect(client.app.terminal.takeOutput() == news)
    client.server.beginGame(match: "m")
    #expect(client.app.currentRouter is any GameRouting)
  }

  @Test func `a request that is gone at the other server is reported`() {
    let client = RemoteApp.inLobby()
    client.app.type("start")
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    client.discardOutput()
    client.move()
    client.arrive(at: .lobby)
    #expect(client.app.terminal.takeOutput().contains("Your request for a game was lost."))
  }

  @Test func `a match that is gone at the other server is reported`() {
    let client = RemoteApp.inGame()
    client.move()
    client.arrive(at: .lobby)
    #expect(client.app.terminal.takeOutput().contains("Your match with bob is over."))
    #expect(client.app.currentRouter is OffGameRouter)
  }

  @Test func `invitations that the other server repeats are not shown again, and others end`() {
    let client = RemoteApp.inLobby()
    client.server.send(.invited(from: "bob", game: "tictactoe"))
    client.server.send(.invited(from: "eve", game: "tictactoe"))
    client.discardOutput()
    client.move()
    client.arrive(at: .lobby) { client.server.send(.invited(from: "bob", game: "tictactoe")) }
    #expect(!client.app.terminal.takeOutput().contains("bob invites"))
    client.app.type("decline")
    #expect(client.server.takeLines() == [#"{"type":"decline","id":4,"opponent":"bob"}"#])
  }

  @Test func `a replay that is being loaded goes on at the other server`() {
    let client = RemoteApp.inLobby()
    client.app.type("replay m")
    client.server.answer(
      .replayDidStart(
        ReplayHeader(
          match: "m", game: "tictactoe", players: PerMark(x: "ann", o: "bob"), last: 3)))
    client.server.beginGame(match: "m", you: nil)
    client.discardOutput()
    client.move()
    client.arrive(at: .lobby)
    #expect(client.server.takeLines() == [#"{"type":"replay","id":5,"match":"m","seq":1}"#])
    #expect(client.app.terminal.takeOutput() == news)
  }

  @Test func `a launch action of a script survives a move`() {
    let client = RemoteApp(
      name: "ann", launchAction: .start(against: .anyone), isInteractive: false)
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "secret"))
    client.move(answering: true)
    client.arrive(at: .waiting)
    #expect(client.app.exitReports.isEmpty)
    client.server.beginGame(match: "m", you: .o, x: "bob", o: "ann")
    #expect(client.app.currentRouter is any GameRouting)
    #expect(client.app.exitReports.isEmpty)
  }
}
