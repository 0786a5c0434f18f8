import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct DeclineTests {
  private let server = TestServer()
  private let ann: LineClient
  private let bob: LineClient
  private let ended: JSON = ["type": "invitationDidEnd", "from": "ann", "game": "tictactoe"]

  init() throws {
    ann = server.client(as: "ann")
    bob = server.client(as: "bob")
    ann.say("start bob")
    #expect(try bob.hearTypes() == ["invited"])
  }

  @Test(arguments: ["decline", "decline ann", #"decline " ANN ""#])
  func `a declined invitation ends for both players`(command: String) throws {
    #expect(try bob.ask(command) == [ended])
    #expect(try ann.hear() == [["type": "didCancel", "reason": "declined"]])
    #expect(try ann.askTypes("cancel") == ["notWaiting"])
    #expect(try bob.askTypes(command) == ["notInvited"])
  }

  @Test func `the reply to a decline has its id`() throws {
    #expect(try bob.ask(#"{"type":"decline","id":3}"#).first?["re"] == 3)
    #expect(try ann.hear().first?["re"] == nil)
  }

  @Test func `a player who was declined cannot invite the same player for 30 seconds`() throws {
    bob.say("decline")
    server.clock.advance(by: .seconds(10))
    let lines = try ann.ask("start bob")
    #expect(kinds(lines) == ["didCancel", "tooFast"])
    #expect(lines.last?["field"] == "opponent")
    #expect(lines.last?["retry"] == 20_000)
    #expect(try bob.hear() == [])
    server.clock.advance(by: .seconds(20))
    #expect(try ann.askTypes("start bob") == ["didQueue"])
    #expect(try bob.hearTypes() == ["invited"])
  }

  @Test func `a player who was declined can invite others, and play with anyone`() throws {
    let cid = server.client(as: "cid")
    bob.say("decline")
    #expect(try ann.askTypes("start cid") == ["didCancel", "didQueue"])
    #expect(try cid.hearTypes() == ["invited"])
    #expect(try ann.askTypes("cancel") == ["didCancel"])
    bob.say("start")
    #expect(try ann.askTypes("start") == ["gameDidStart"])
  }

  @Test func `a player who was declined can accept an invitation, and join who waits`() throws {
    bob.say("decline")
    #expect(try bob.askTypes("start ann") == ["didQueue"])
    #expect(try ann.askTypes("start bob") == ["didCancel", "invited", "gameDidStart"])
    ann.say("leave")
    _ = (ann.takeLines(), bob.takeLines())
    bob.say("start")
    #expect(try ann.askTypes("start bob") == ["gameDidStart"])
  }

  @Test func `a new session of either player may be invited and invite at once`() throws {
    bob.say("decline")
    bob.say("quit")
    let again = server.client(as: "bob")
    #expect(try ann.askTypes("start bob") == ["didCancel", "didQueue"])
    again.say("decline")
    ann.say("quit")
    #expect(try server.client(as: "ann").askTypes("start bob") == ["didQueue"])
  }

  @Test func `of several invitations one must be named`() throws {
    let cid = server.client(as: "cid")
    cid.say("start bob")
    let lines = try bob.ask("decline")
    #expect(kinds(lines) == ["invited", "missingField"])
    #expect(lines.last?["field"] == "opponent")
    #expect(try bob.askTypes("decline dan") == ["notInvited"])
    #expect(try bob.askTypes("decline cid") == ["invitationDidEnd"])
    #expect(try cid.hearTypes() == ["didQueue", "didCancel"].suffix(1))
    #expect(try bob.ask("decline") == [ended])
  }

  @Test func `an invitation can be declined while playing, watching and waiting`() throws {
    let (x, o) = server.match("cid", "dan")
    #expect(try bob.askTypes("start bot") == ["gameDidStart"])
    #expect(try bob.ask("decline") == [ended])
    bob.say("leave")
    _ = bob.takeLines()
    server.clock.advance(by: .seconds(30))
    ann.say("start bob")
    bob.say("watch \(server.onlyMatch)")
    _ = bob.takeLines()
    #expect(try bob.ask("decline ann") == [ended])
    bob.say("leave")
    server.clock.advance(by: .seconds(30))
    ann.say("start bob")
    bob.say("open")
    _ = (bob.takeLines(), x.takeLines(), o.takeLines())
    #expect(try bob.ask("decline ann") == [ended])
  }

  @Test func `without an invitation there is nothing to decline`() throws {
    #expect(try ann.askTypes("decline") == ["notInvited"])
    #expect(try ann.askTypes("decline bob") == ["notInvited"])
    #expect(try ann.askTypes("decline bot") == ["notInvited"])
    #expect(try server.client().askTypes("decline") == ["notLoggedIn"])
  }

  @Test func `the next game can be declined`() throws {
    let server = TestServer()
    let (x, o) = server.wonMatch()
    #expect(try o.askTypes("decline") == ["notInvited"])
    x.say("start")
    #expect(try o.hearTypes() == ["invited"])
    #expect(
      try o.ask("decline")
        == [["type": "invitationDidEnd", "from": "ann", "game": "tictactoe"]])
    #expect(try x.hearTypes() == ["didQueue", "didCancel"].suffix(1))
    let blocked = try x.ask("start")
    #expect(kinds(blocked) == ["tooFast"])
    #expect(blocked.first?["field"] == "opponent")
    #expect(blocked.first?["retry"] == 30_000)
    // The player who declined may change their mind.
    #expect(try o.askTypes("start") == ["didQueue"])
    #expect(try x.askTypes("start") == ["invited", "gameDidStart"])
  }

  @Test func `between games a decline is about the next game, unless another player is named`()
    throws
  {
    let (x, o) = server.match("cid", "dan")
    ann.say("cancel")
    _ = bob.takeLines()
    #expect(try x.askTypes("leave") == ["gameDidEnd", "matchDidEnd"])
    ann.say("start cid")
    #expect(try x.hearTypes() == ["invited"])
    o.say("start cid")
    _ = x.takeLines()
    #expect(try x.askTypes("start dan") == ["gameDidStart"])
    x.say("resign")
    o.say("start")
    _ = x.takeLines()
    #expect(try x.askTypes("decline ann") == ["invitationDidEnd"])
    #expect(try x.ask("decline").first?["from"] == "dan")
    #expect(try x.askTypes("decline dan") == ["notInvited"])
  }

  @Test func `the bot's rematch cannot be declined`() throws {
    let eve = server.client(as: "eve")
    eve.say("start bot")
    eve.say("resign")
    _ = eve.takeLines()
    #expect(try eve.askTypes("decline") == ["notInvited"])
    #expect(try eve.askTypes("decline bot") == ["notInvited"])
  }

  @Test func `declined requests leave no timer and no session behind`() throws {
    bob.say("decline")
    for client in [ann, bob] { client.say("quit") }
    try server.expectNothingLeft()
  }
}
