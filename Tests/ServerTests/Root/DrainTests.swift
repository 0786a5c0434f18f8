import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct DrainTests {
  private let server = TestServer()
  private final class Witness { var count = 0 }
  private let drained = Witness()

  private func drain(_ server: TestServer) {
    server.control.drain(within: nil) { [drained] in drained.count += 1 }
    server.network.run()
  }

  @Test func `without a running game draining is over at once`() {
    _ = server.wonMatch()
    server.client(as: "zoe").say("start")
    drain(server)
    server.clock.advance(by: .zero)
    #expect(drained.count == 1)
    server.clock.advance(by: .seconds(60))
    #expect(drained.count == 1)
  }

  @Test func `everyone who is logged in or logs in is told when the server stops`() throws {
    let (x, _) = server.match()
    let (lobby, stranger) = (server.client(as: "zoe"), server.client())
    drain(server)
    let announcement: JSON = [
      "type": "announcement", "text": "The server is stopping. No new games begin.",
      "left": 30_000,
    ]
    for client in [x, lobby] { #expect(try client.hear() == [announcement]) }
    #expect(try stranger.hear() == [])
    server.clock.advance(by: .seconds(10))
    let lines = try stranger.ask("login eve")
    #expect(kinds(lines) == ["didLogin", "announcement"])
    #expect(lines.last?["left"] == 20_000)
  }

  @Test func `a greeting comes after each login, and the end of the server replaces it`() throws {
    let server = TestServer(
      settings: ServerSettings(turn: nil, inviteWithin: nil, motd: "Welcome to the club!"))
    let motd: JSON = ["type": "announcement", "text": "Welcome to the club!"]
    #expect(try server.client().ask("login ann").dropFirst() == [motd])
    _ = server.match("x", "o")
    drain(server)
    let lines = try server.client().ask("login bob")
    #expect(kinds(lines) == ["didLogin", "announcement"])
    #expect(lines.last?["left"] == 30_000)
  }

  @Test func `with a time of zero nobody is told`() throws {
    let server = TestServer(settings: ServerSettings(drain: nil))
    let (x, _) = server.match()
    drain(server)
    #expect(try x.hear() == [])
  }

  @Test func `draining is over when the last game has ended`() throws {
    let (x, o) = server.match()
    drain(server)
    server.clock.advance(by: .seconds(29))
    server.playFirstRow(x, o)
    #expect(drained.count == 1)
    #expect(try x.hearTypes().last == "gameDidEnd")
    #expect(try o.hearTypes().last == "gameDidEnd")
    server.clock.advance(by: .seconds(60))
    #expect(drained.count == 1)
    #expect(server.clock.next == nil)
  }

  @Test func `draining waits for the last of several games, however it ends`() throws {
    let first = server.match("a", "b")
    let second = server.match("c", "d")
    let bot = server.client(as: "e")
    bot.say("start bot")
    drain(server)
    first.x.say("resign")
    bot.say("quit")
    #expect(drained.count == 0)
    second.o.say("leave")
    #expect(drained.count == 1)
    #expect(try second.x.hearTypes() == ["announcement", "gameDidEnd", "matchDidEnd"])
  }

  @Test func `draining waits for games no longer than set`() {
    let server = TestServer(settings: ServerSettings(drain: .seconds(5)))
    _ = server.match()
    drain(server)
    server.clock.advance(by: .milliseconds(4_999))
    #expect(drained.count == 0)
    server.clock.advance(by: .milliseconds(1))
    #expect(drained.count == 1)
  }

  @Test func `with a time of zero draining does not wait for games`() {
    let server = TestServer(settings: ServerSettings(drain: nil))
    _ = server.match()
    drain(server)
    #expect(drained.count == 1)
  }

  @Test func `no game begins, in whatever way it is requested`() throws {
    let settings = ServerSettings(maxMatches: 3)
    let server = TestServer(settings: settings)
    let (x, o) = server.match("x", "o")
    let (winner, loser) = server.match("c", "d")
    server.playFirstRow(winner, loser)
    let (waiting, lobby) = (server.client(as: "w"), server.client(as: "l"))
    #expect(try waiting.askTypes("start l") == ["didQueue"])
    let bot = server.client(as: "e")
    bot.say("start bot")
    bot.say("resign")
    loser.say("start")
    for client in [x, o, winner, loser, bot, waiting, lobby] { _ = client.takeLines() }
    drain(server)
    for client in [x, o, winner, loser, bot, waiting, lobby] {
      #expect(try client.hearTypes() == ["announcement"])
    }
    let stranger = server.client()
    for client in [stranger, lobby, waiting, winner, loser, bot, x] {
      #expect(try client.ask(#"{"type":"start","id":1}"#).first?["code"] == "shuttingDown")
    }
    #expect(try lobby.askTypes("open") == ["shuttingDown"])
    #expect(try lobby.askTypes("join aaaaaa") == ["shuttingDown"])
    #expect(try lobby.askTypes("start w") == ["shuttingDown"])
    #expect(try lobby.askTypes("start bot") == ["shuttingDown"])
    #expect(server.root.children.count == 3)
  }

  @Test func `a waiting player keeps waiting, and can cancel`() throws {
    let waiting = server.client(as: "w")
    waiting.say("start")
    _ = server.match("x", "o")
    drain(server)
    #expect(try waiting.hearTypes() == ["announcement"])
    #expect(try waiting.askTypes("cancel") == ["didCancel"])
  }

  @Test func `everything else continues, and a lost player can resume to end the game`() throws {
    let (ann, bob) = try server.players()
    bob.cut()
    drain(server)
    server.clock.advance(by: .seconds(10))
    #expect(kinds(try bob.resume()) == ["didLogin", "announcement", "matchSnapshot"])
    let newcomer = server.client()
    #expect(try newcomer.askTypes("login zoe") == ["didLogin", "announcement"])
    #expect(
      try newcomer.askTypes("watch \(server.onlyMatch)")
        == ["matchSnapshot", "spectatorsDidChange"])
    #expect(drained.count == 0)
    server.playFirstRow(ann.client, bob.client)
    #expect(drained.count == 1)
  }

  @Test func `a lost player who does not resume in time does not delay draining`() {
    let server = TestServer(settings: ServerSettings(resumeWithin: .seconds(7)))
    let (x, _) = server.match()
    drain(server)
    x.cut()
    server.clock.advance(by: .seconds(6))
    #expect(drained.count == 0)
    server.clock.advance(by: .seconds(1))
    #expect(drained.count == 1)
  }

  @Test func `a shutdown ends draining`() throws {
    let (x, _) = server.match()
    drain(server)
    server.control.shutDown()
    server.network.run()
    #expect(try x.hearTypes() == ["announcement", "matchDidEnd", "bye shutdown"])
    server.clock.advance(by: .seconds(60))
    #expect(drained.count == 0)
    #expect(server.clock.next == nil)
  }

  @Test func `draining a second time does nothing`() {
    _ = server.match()
    drain(server)
    server.clock.advance(by: .seconds(20))
    drain(server)
    server.clock.advance(by: .seconds(10))
    #expect(drained.count == 1)
    server.clock.advance(by: .seconds(60))
    #expect(drained.count == 1)
  }
}
