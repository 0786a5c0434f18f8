import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct TakeoverTests {
  private let server = TestServer()

  @Test func `in the lobby the old connection gets bye, and the new one all invitations`() throws {
    let bob = try Player("bob", at: server)
    let ann = server.client(as: "ann")
    ann.say("start bob")
    _ = try bob.hear()
    let old = bob.client
    let lines = try bob.resume()
    #expect(kinds(lines) == ["didLogin", "invited"])
    #expect(lines.first?["place"] == "lobby")
    #expect(lines.last == ["type": "invited", "from": "ann", "game": "tictactoe"])
    let bye = try old.hear()
    #expect(kinds(bye) == ["bye takenOver"])
    #expect(bye.first?["retry"] == nil)
    #expect(old.isClosedByServer)
    #expect(try ann.hear() == [])
    #expect(try bob.askTypes("start ann") == ["gameDidStart"])
  }

  @Test(arguments: [nil, "bob"])
  func `a waiting player keeps waiting`(opponent: String?) throws {
    let bob = server.client(as: "bob")
    let ann = try Player("ann", at: server)
    try ann.ask("start \(opponent ?? "")")
    _ = try bob.hear()
    let lines = try ann.resume()
    #expect(kinds(lines) == ["didLogin", "didQueue"])
    #expect(lines.first?["place"] == "waiting")
    #expect(lines.last?["opponent"]?.text == opponent)
    #expect(try bob.hear() == [])
    #expect(try bob.askTypes("start ann") == ["gameDidStart"])
    #expect(try ann.hearTypes() == ["gameDidStart"])
  }

  @Test func `in a match the opponent gets no event`() throws {
    let (x, o) = try server.players()
    try x.ask("place 0 0")
    let old = o.client
    let lines = try o.resume(after: 1)
    #expect(kinds(lines) == ["didLogin", "boardDidChange"])
    #expect(try old.hearTypes().last == "bye takenOver")
    #expect(try x.hear() == [])
    old.cut()
    server.clock.advance(by: .seconds(100))
    server.network.run()
    #expect(try x.hear() == [])
    #expect(try o.askTypes("place 1 1") == ["boardDidChange"])
  }

  @Test func `a client that has missed nothing gets a snapshot`() throws {
    let (_, o) = try server.players()
    #expect(kinds(try o.resume(after: 1)) == ["didLogin", "matchSnapshot"])
  }

  @Test func `a spectator keeps watching`() throws {
    let (x, _) = try server.players()
    let eve = try Player("eve", at: server)
    try eve.ask("watch \(server.onlyMatch)")
    try x.ask("place 0 0")
    let old = eve.client
    let lines = try eve.resume(after: 1)
    #expect(kinds(lines) == ["didLogin", "boardDidChange", "spectatorsDidChange"])
    #expect(lines.first?["place"] == "watching")
    #expect(try old.hearTypes() == ["boardDidChange", "bye takenOver"])
    try x.ask("say hi")
    #expect(try eve.hearTypes() == ["didSay"])
    #expect(try eve.askTypes("leave") == ["didLeave"])
  }

  @Test func `a connection whose commands wait can be taken over too`() throws {
    let (x, o) = try server.players()
    o.client.stopReading()
    for _ in 0..<300 { o.client.sendOnly("help") }
    server.network.run()
    #expect(kinds(try o.resume(after: 0)) == ["didLogin", "gameDidStart"])
    server.clock.advance(by: .seconds(100))
    server.network.run()
    #expect(try x.hear() == [])
    #expect(server.clock.next == nil)
  }

  @Test func `commands that follow the takeover on the old connection are not carried out`() throws
  {
    let (x, o) = try server.players()
    let old = o.client
    try o.resume()
    old.sendOnly("resign")
    server.network.run()
    #expect(try x.hear() == [])
  }
}
