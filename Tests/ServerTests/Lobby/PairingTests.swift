import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct PairingTests {
  private let server = TestServer(games: [.ticTacToe, .other])

  @Test func `the player who waited is X`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    #expect(try ann.ask("start") == [["type": "didQueue", "game": "tictactoe"]])
    let (bobLines, annLines) = try (bob.ask("start"), ann.hear())
    #expect(kinds(bobLines + annLines) == ["gameDidStart", "gameDidStart"])
    #expect(bobLines.first?["you"] == "O")
    #expect(annLines.first?["you"] == "X")
    #expect(annLines.first?["players"] == ["X": "ann", "O": "bob"])
  }

  @Test func `of three players two are paired, and one keeps waiting`() throws {
    let clients = ["a", "b", "c"].map(server.client(as:))
    let types = try clients.map { try $0.askTypes("start") }
    #expect(types == [["didQueue"], ["gameDidStart"], ["didQueue"]])
    #expect(server.root.children.count == 1)
  }

  @Test func `each game has its own queue`() throws {
    let (ann, bob, cid) = (
      server.client(as: "ann"), server.client(as: "bob"), server.client(as: "cid")
    )
    #expect(try ann.askTypes("start") == ["didQueue"])
    #expect(try bob.ask(#"start "" four"#) == [["type": "didQueue", "game": "four"]])
    #expect(try cid.ask(#"start "" four"#).first?["players"] == ["X": "bob", "O": "cid"])
    #expect(try ann.hear() == [])
  }

  @Test func `a named opponent who waits for anyone is paired at once, without an invitation`()
    throws
  {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    ann.say("start")
    #expect(try bob.ask("start ANN").first?["players"] == ["X": "ann", "O": "bob"])
    #expect(try ann.hearTypes() == ["gameDidStart"])
  }

  @Test func `an invited player accepts by asking for anyone or for the name`() throws {
    for answer in ["start", "start ann", #"start " Ａnn ""#] {
      let server = TestServer()
      let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
      let queued = try ann.ask("start BOB")
      #expect(queued == [["type": "didQueue", "game": "tictactoe", "opponent": "bob"]])
      let invited = try bob.ask(answer)
      #expect(kinds(invited) == ["invited", "gameDidStart"])
      #expect(invited.last?["players"] == ["X": "ann", "O": "bob"])
      #expect(try ann.hearTypes() == ["gameDidStart"])
      #expect(invited.first == ["type": "invited", "from": "ann", "game": "tictactoe"])
    }
  }

  @Test func `a player who waits for one opponent is not paired with another`() throws {
    let (ann, bob, cid) = (
      server.client(as: "ann"), server.client(as: "bob"), server.client(as: "cid")
    )
    ann.say("start bob")
    #expect(try cid.askTypes("start") == ["didQueue"])
    #expect(try ann.hear() == [])
    #expect(try cid.askTypes("cancel") == ["didCancel"])
    #expect(try cid.askTypes("start ann") == ["didQueue"])
    #expect(try ann.hearTypes() == ["invited"])
    _ = bob
  }

  @Test(arguments: [["wants", "anyone"], ["anyone", "wants"]])
  func `the longest wait comes first, named or not`(order: [String]) throws {
    let clients = ["wants", "anyone", "bob"].map(server.client(as:))
    let names = ["wants", "anyone", "bob"]
    for name in order {
      let index = try #require(names.firstIndex(of: name))
      clients[index].say(name == "wants" ? "start bob" : "start")
    }
    let lines = try clients[2].ask("start")
    #expect(lines.last?["players"]?["X"]?.text == order.first)
  }

  @Test func `of several players who name a player, the longest wait comes first`() throws {
    let incomingRequests = ["a", "b", "c"].map(server.client(as:))
    let bob = server.client(as: "bob")
    for requester in incomingRequests { requester.say("start bob") }
    incomingRequests[0].say("cancel")
    incomingRequests[0].say("start bob")
    #expect(try bob.ask("start").last?["players"]?["X"] == "b")
    bob.say("leave")
    #expect(try bob.ask("start").last?["players"]?["X"] == "c")
    bob.say("leave")
    #expect(try bob.ask("start").last?["players"]?["X"] == "a")
  }

  @Test func `a player who names an opponent gets that opponent, even if others wait longer`()
    throws
  {
    let clients = ["a", "b", "bob"].map(server.client(as:))
    clients[0].say("start bob")
    clients[1].say("start bob")
    #expect(try clients[2].ask("start b").last?["players"] == ["X": "b", "O": "bob"])
  }

  @Test func `two players who name each other for different games keep waiting`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    #expect(try ann.askTypes("start bob") == ["didQueue"])
    #expect(try bob.askTypes("start ann four") == ["invited", "didQueue"])
    #expect(try ann.hearTypes() == ["invited"])
    #expect(try ann.askTypes("cancel") == ["didCancel"])
    #expect(try bob.hearTypes() == ["invitationDidEnd"])
    #expect(try ann.ask(#"start "" four"#).first?["game"] == "four")
  }

  @Test func `against the bot a game begins at once and the player is X`() throws {
    for name in ["bot", "BOT", "ｂｏｔ"] {
      let client = server.client()
      client.say("login")
      let lines = try client.ask("start \(name)")
      #expect(kinds(lines) == ["gameDidStart"])
      #expect(lines.first?["you"] == "X")
      #expect(lines.first?["players"]?["O"] == "bot")
    }
  }

  @Test(arguments: [
    ("start zed", "unknownPlayer"), ("start ann", "unknownPlayer"), ("start ＡＮＮ", "unknownPlayer"),
    (#"{"type":"start","opponent":""}"#, "unknownPlayer"),
    (#"start "" chess"#, "unknownGame"), ("start bot chess", "unknownGame"),
    ("start zed chess", "unknownGame"),
  ])
  func `a start for an unknown player or game does not wait`(line: String, code: String) throws {
    let ann = server.client(as: "ann")
    #expect(try ann.askTypes(line) == [code])
    #expect(try ann.askTypes("cancel") == ["notWaiting"])
  }

  @Test func `a player in a match cannot be invited`() throws {
    let players = server.match()
    let cid = server.client(as: "cid")
    let lines = try cid.ask("start bob")
    #expect(kinds(lines) == ["inMatch"])
    #expect(lines.first?["field"] == "opponent")
    #expect(try cid.askTypes("start BOB chess") == ["unknownGame"])
    #expect(try players.o.hear() == [])
    // Without a name the refusal is about the player's own match.
    #expect(try players.x.ask("start zed").first?["field"] == nil)
  }
}
