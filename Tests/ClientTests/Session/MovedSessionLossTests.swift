import Foundation
import Shared
import TestSupport
import Testing

@testable import Client

/// A session that moves to a server that cannot be reached, or is lost there; and one that the
/// person ends meanwhile.
@Suite struct MovedSessionLossTests {
  private let lost = "Connection lost. Reconnecting …\n"

  @Test func `an unreachable server is tried in turn with the one that the person gave`() {
    let client = RemoteApp.inGame()
    client.fixture.closedHosts = ["node2", "example.org"]
    client.server.send(.moved(to: "node2:7001"))
    client.app.clock.advance(by: .zero)
    #expect(client.app.terminal.takeOutput().contains(lost))
    client.app.clock.advance(by: .seconds(1))
    #expect(
      client.fixture.hosts.prefix(5) == [
        "example.org", "node2", "example.org", "node2", "example.org",
      ])
    client.fixture.closedHosts = ["node2"]
    client.app.clock.advance(by: .seconds(10))
    client.server.greet()
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    #expect(client.app.terminal.takeOutput().contains("Connected again.\n"))
  }

  @Test func `a session that is lost after a move resumes at the server that the person gave`() {
    let client = RemoteApp.inGame()
    client.move()
    client.arrive(at: .playing)
    client.server.cut()
    client.discardOutput()
    client.app.clock.advance(by: Backoff.min)
    #expect(client.fixture.hosts == ["example.org", "node2", "example.org"])
    client.server.greet()
    // That server does not have the session, and knows which one does.
    client.move(to: "node3:7001", answering: true)
    #expect(client.fixture.hosts.last == "node3")
    client.server.answer(.didLogin(name: "ann", token: "newer", place: .playing))
    let screen = client.app.terminal.takeOutput()
    #expect(screen.contains("Connected again.\n"))
    #expect(!screen.contains("node3"))
    client.server.move(5)
    #expect(client.app.terminal.takeOutput().contains("ann puts X on 5."))
  }

  @Test func `a move over several servers is one line`() {
    let client = RemoteApp.inGame()
    client.move()
    client.move(to: "node3:7001", answering: true)
    client.arrive(at: .playing)
    let screen = client.app.terminal.takeOutput()
    #expect(screen.contains("Your session continues at node3 port 7001.\n"))
    #expect(!screen.contains("node2"))
  }

  @Test func `a move without an address reconnects where the session was`() {
    let client = RemoteApp.inLobby()
    client.server.send(.bye(.moved, message: "Go."))
    #expect(client.app.terminal.takeOutput().contains(lost))
    client.app.clock.advance(by: Backoff.min)
    #expect(client.fixture.hosts == ["example.org", "example.org"])
  }

  @Test func `servers that move a session in a circle are asked less and less often`() {
    let client = RemoteApp.inLobby()
    for _ in 0...SlidingWindow.moves.max { client.move() }
    #expect(client.fixture.attemptCount == 1 + SlidingWindow.moves.max)
    #expect(client.app.terminal.takeOutput().contains(lost))
    client.app.clock.advance(by: Backoff.min / 2 - .milliseconds(1))
    #expect(client.fixture.attemptCount == 1 + SlidingWindow.moves.max)
    client.app.clock.advance(by: Backoff.min)
    #expect(client.fixture.hosts.last == "example.org")
  }

  @Test func `a slow move is shown as a lost connection, and what was asked for still happens`() {
    let client = RemoteApp.inLobby()
    client.app.type("start bob")
    client.discardOutput()
    client.move(answering: true)
    client.app.clock.advance(by: RemoteGameService.maxMoveTime)
    #expect(client.app.terminal.takeOutput().contains(lost))
    client.arrive(at: .lobby)
    #expect(client.server.takeLines().last?.contains(#""opponent":"bob""#) == true)
    #expect(client.app.terminal.takeOutput().contains("Connected again.\n"))
  }

  @Test func `a command is reported once the move has failed`() {
    let client = RemoteApp.inLobby()
    client.app.type("cancel")
    client.server.send(.moved(to: "node2:7001"))
    client.fixture.refusesConnections = true
    #expect(!client.app.terminal.takeOutput().contains("no connection"))
    client.app.clock.advance(by: .zero)
    #expect(client.app.terminal.takeOutput().contains(SessionCommands.noAnswer))
  }

  @Test func `a name that the old server still holds is tried again`() {
    let client = RemoteApp.inLobby()
    client.move()
    client.server.answer(.error(.unknownToken))
    client.server.answer(.error(.nameTaken))
    client.app.clock.advance(by: Backoff.min)
    client.server.answer(.error(.unknownToken))
    client.server.answer(.didLogin(name: "ann", token: "new"))
    let screen = client.app.terminal.takeOutput()
    #expect(screen.contains(lost))
    #expect(screen.contains("Connected again.\n"))
  }

  @Test func `a person who quits during a move quits at the other server`() {
    let client = RemoteApp.inGame()
    client.server.send(.moved(to: "node2:7001"))
    client.app.type("quit", "yes")
    client.follow()
    #expect(client.server.takeLines().count == 1)
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    #expect(client.server.takeLines() == [#"{"type":"quit","id":3}"#])
    client.server.send(.bye(.quit))
    #expect(client.app.exitReports == [ExitReport(code: .ok)])
  }

  @Test func `a quit that crosses a move is sent again`() {
    let client = RemoteApp.inGame()
    client.app.type("quit", "yes")
    client.move()
    client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
    #expect(client.server.takeLines() == [#"{"type":"quit","id":4}"#])
  }

  @Test(arguments: [false, true])
  func `a person who quits does not wait for a server that is not there`(fails: Bool) {
    let client = RemoteApp.inGame()
    client.fixture.refusesConnections = fails
    client.server.send(.moved(to: "node2:7001"))
    client.app.type("quit", "yes")
    client.app.clock.advance(by: fails ? .zero : RemoteGameService.quitTimeout)
    #expect(client.app.exitReports == [ExitReport(code: .ok)])
  }

  @Test func `a script gives up when its time is over`() {
    let client = RemoteApp.inGame(isInteractive: false)
    client.fixture.refusesConnections = true
    client.server.send(.moved(to: "node2:7001"))
    client.app.clock.advance(by: .seconds(29))
    #expect(client.app.exitReports.isEmpty)
    client.app.clock.advance(by: .seconds(32))
    #expect(client.app.exitReports.map(\.code) == [.unavailable])
  }

  @Test func `the resume of a token on disk follows a move, and the file keeps its server`() throws
  {
    let folder = NSTemporaryDirectory() + "tictactoe-moved-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let owner = TokenOwner(address: .example, name: "ann")
    TokenFile(folder: folder).keep("secret", for: owner)
    do {
      let client = RemoteApp(name: "ann", tokens: TokenFile(folder: folder))
      client.server.greet()
      #expect(client.server.takeLines() == [#"{"type":"resume","id":1,"token":"secret"}"#])
      client.move(answering: true)
      #expect(client.server.takeLines() == [#"{"type":"resume","id":2,"token":"secret"}"#])
      client.server.answer(.didLogin(name: "ann", token: "new", place: .playing))
      client.server.beginGame(match: "m")
      let screen = client.app.terminal.takeOutput()
      #expect(screen.contains("Your session continues at node2 port 7001.\n"))
      #expect(screen.contains("ann plays X, bob plays O."))
      client.server.cut()
    }
    #expect(TokenFile(folder: folder).take(for: owner) == "new")
  }

  @Test func `a connection that moves before the login is used for it`() {
    let client = RemoteApp()
    client.server.greet()
    client.move()
    client.app.type("ann")
    #expect(client.server.takeLines() == [#"{"type":"login","id":1,"name":"ann"}"#])
    #expect(client.fixture.hosts == ["example.org", "node2"])
  }
}
