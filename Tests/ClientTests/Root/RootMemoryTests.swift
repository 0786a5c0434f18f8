import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// Nothing outlives its RIB, whatever the session did.
@Suite struct RootMemoryTests {
  private final class Leaks {
    var names: [String] = []
  }

  private let leaks = Leaks()

  private func watch(_ app: TestApp) {
    let clock = app.clock
    let detector = LeakDetector(
      schedule: { delay, action in clock.schedule(after: delay, action).cancel },
      didLeak: { [leaks] in leaks.names.append($0) })
    (app.root as? RouterNode)?.detectLeaks(with: detector)
  }

  @Test func `a local session leaks nothing`() {
    let app = TestApp.local()
    watch(app)
    app.type("ann", "bob", "start", "1", "resign", "start", "1", "leave", "start bot", "1")
    app.type("resign", "leave")
    weak let root = app.root
    #expect(root != nil)
    app.releaseRoot()
    app.clock.advance(by: .seconds(5))
    #expect(leaks.names.isEmpty)
    #expect(root == nil)
  }

  @Test func `a remote session leaks nothing`() {
    let client = RemoteApp()
    let (app, server) = (client.app, client.server)
    watch(app)
    server.greet()
    app.type("ann")
    server.answer(.didLogin(name: "ann", token: nil))
    app.type("start")
    server.answer(.didQueue(game: "tictactoe", opponent: nil))
    server.beginGame(match: "m")
    app.type("1")
    server.move(1)
    app.type("2")
    server.endGame(Outcome(winner: .o, reason: .resigned))
    server.beginGame(you: .o, x: "bob", o: "ann")
    server.endMatch(.abandoned, by: .x)
    weak let root = app.root
    #expect(root != nil)
    app.releaseRoot()
    app.clock.advance(by: .seconds(5))
    #expect(leaks.names.isEmpty)
    #expect(root == nil)
    #expect(client.fixture.isClosedByClient)
  }

  @Test func `a launch action leaks nothing`() {
    let client = RemoteApp(name: "ann", launchAction: .start(against: .bot))
    let (app, server) = (client.app, client.server)
    watch(app)
    server.greet()
    server.answer(.didLogin(name: "ann", token: nil))
    server.beginGame(match: "m", o: "bot")
    app.clock.advance(by: .seconds(5))
    #expect(leaks.names.isEmpty)
    weak let root = app.root
    app.releaseRoot()
    app.clock.advance(by: .seconds(5))
    #expect(leaks.names.isEmpty)
    #expect(root == nil)
  }

  @Test(arguments: 0...6) func `the tree is deallocated in any state`(_ state: Int) {
    let clients =
      [RemoteApp(), .inLobby(), .inGame(), RemoteApp(name: "ann")]
      + (0...2).map { _ in RemoteApp(name: "ann", launchAction: .start(against: .bot)) }
    for client in clients[3...] where client !== clients[4] { client.server.greet() }
    clients[6].server.answer(.didLogin(name: "ann", token: nil))
    let client = clients[state]
    watch(client.app)
    weak let shown = client.app.currentRouter
    client.app.releaseRoot()
    client.app.clock.advance(by: .seconds(5))
    #expect(leaks.names.isEmpty)
    #expect(shown == nil)
  }

  @Test func `a list below OffGame is freed when a game begins`() {
    let client = RemoteApp.inLobby()
    client.app.type("history")
    weak let history = client.app.currentRouter?.children.first
    #expect(history is any HistoryRouting)
    client.server.beginGame(match: "m")
    #expect(history == nil)
    client.server.answer(.history(HistoryPage([.example(1)])))
    #expect(!client.app.type().contains("won against"))
  }
}
