import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct RoomTests {
  private let server = TestServer(settings: ServerSettings(maxMatches: 1))

  @Test(arguments: ["start", "start bot", "start bob", "start nobody"])
  func `a match does not begin without room for it`(command: String) throws {
    let (x, _) = server.match("cid", "dan")
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    let lines = try ann.ask(command)
    #expect(kinds(lines) == ["full"])
    #expect(lines.first?["retry"] == 5_000)
    #expect(try bob.hear() == [])
    x.say("leave")
    #expect(try ann.askTypes(command) != ["full"])
  }

  @Test func `a waiting player can be paired when there is room again`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    ann.say("start")
    let cid = server.client(as: "cid")
    cid.say("start bot")
    #expect(try cid.hear() == [])
    cid.say("leave")
    #expect(try bob.askTypes("start bot") == ["gameDidStart"])
    #expect(try cid.askTypes("start ann") == ["full"])
    bob.say("leave")
    #expect(try cid.askTypes("start ann") == ["gameDidStart"])
  }

  @Test func `the next game of a match needs no room`() throws {
    let (x, o) = server.wonMatch()
    #expect(try x.askTypes("start") == ["didQueue"])
    #expect(try o.askTypes("start") == ["invited", "gameDidStart"])
    #expect(try o.askTypes("start") == ["inMatch"])
  }

  @Test func `full is reported before the errors of the session's place`() throws {
    let waiting = server.client(as: "waiting")
    waiting.say("start")
    _ = server.match("cid", "dan")
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    for client in [server.client(), waiting, eve] {
      #expect(try client.askTypes("start") == ["full"])
    }
  }
}
