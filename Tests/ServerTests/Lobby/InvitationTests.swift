import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct InvitationTests {
  private let server = TestServer()
  private let ann: LineClient
  private let bob: LineClient
  private let ended: JSON = ["type": "invitationDidEnd", "from": "ann", "game": "tictactoe"]

  init() throws {
    ann = server.client(as: "ann")
    bob = server.client(as: "bob")
    ann.say("start bob")
    #expect(
      try bob.hear() == [["type": "invited", "from": "ann", "game": "tictactoe"]])
  }

  @Test func `an invitation ends when its sender cancels`() throws {
    #expect(try ann.ask("cancel") == [["type": "didCancel"]])
    #expect(try bob.hear() == [ended])
    #expect(try bob.askTypes("start") == ["didQueue"])
  }

  @Test func `an invitation ends when its sender quits`() throws {
    #expect(try ann.askTypes("quit") == ["bye quit"])
    #expect(try bob.hear() == [ended])
  }

  @Test(arguments: [false, true])
  func `an invitation ends when its sender's connection is lost`(isCut: Bool) throws {
    if isCut { ann.cut() } else { ann.end() }
    #expect(try bob.hear() == [ended])
  }

  @Test func `an accepted invitation ends without a line`() throws {
    #expect(try bob.askTypes("start ann") == ["gameDidStart"])
    #expect(try ann.hearTypes() == ["gameDidStart"])
  }

  @Test func `when the invited player quits, the sender is informed and is in the lobby`() throws {
    bob.say("quit")
    #expect(try ann.hear() == [["type": "didCancel", "reason": "left"]])
    #expect(try ann.askTypes("cancel") == ["notWaiting"])
    #expect(try ann.askTypes("start bob") == ["unknownPlayer"])
    #expect(try ann.askTypes("start") == ["didQueue"])
  }

  @Test(arguments: [false, true])
  func `when the invited player's connection is lost, the sender is informed`(isCut: Bool) throws {
    if isCut { bob.cut() } else { bob.end() }
    #expect(try ann.hear() == [["type": "didCancel", "reason": "left"]])
  }

  @Test func `an invitation remains while the invited player plays with another player`() throws {
    let cid = server.client(as: "cid")
    #expect(try bob.askTypes("start bot") == ["gameDidStart"])
    #expect(try ann.hear() == [])
    #expect(try bob.askTypes("leave") == ["gameDidEnd", "matchDidEnd"])
    #expect(try bob.askTypes("start cid") == ["didQueue"])
    #expect(try bob.askTypes("cancel") == ["didCancel"])
    #expect(try bob.ask("start").first?["players"] == ["X": "ann", "O": "bob"])
    #expect(try cid.hearTypes() == ["invited", "invitationDidEnd"])
  }

  @Test func `a cancelled invitation is reported to a player in a match`() throws {
    bob.say("start bot")
    ann.say("cancel")
    #expect(try bob.hear() == [ended])
  }

  @Test func `when the invited player quits from a match, the sender is informed`() throws {
    bob.say("start bot")
    bob.say("quit")
    #expect(try ann.hear() == [["type": "didCancel", "reason": "left"]])
  }

  @Test func `a player has up to twenty open invitations`() throws {
    let clients = (2...20).map { server.client(as: "p\($0)") }
    for client in clients { #expect(try client.askTypes("start bob") == ["didQueue"]) }
    #expect(try bob.hear().count == 19)
    let late = server.client(as: "late")
    let lines = try late.ask("start bob")
    #expect(kinds(lines) == ["tooFast"])
    #expect(lines.first?["field"] == "opponent")
    #expect(lines.first?["retry"] == nil)
    #expect(try late.askTypes("cancel") == ["notWaiting"])
    #expect(try bob.hear() == [])
    // The player can still accept one, and each cancelled one makes room.
    clients[0].say("cancel")
    #expect(try late.askTypes("start bob") == ["didQueue"])
    #expect(try clients[0].askTypes("start bob") == ["tooFast"])
    #expect(try bob.ask("start late").last?["players"] == ["X": "late", "O": "bob"])
  }

  @Test func `a player who quits ends the requests from and for that player`() throws {
    let cid = server.client(as: "cid")
    #expect(try bob.askTypes("start cid") == ["didQueue"])
    bob.say("quit")
    #expect(try ann.hear() == [["type": "didCancel", "reason": "left"]])
    #expect(try cid.hearTypes() == ["invited", "invitationDidEnd"])
  }
}
