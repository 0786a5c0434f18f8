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

  @Test func `it ends when who asked cancels`() throws {
    #expect(try ann.ask("cancel") == [["type": "didCancel"]])
    #expect(try bob.hear() == [ended])
    #expect(try bob.askTypes("start") == ["didQueue"])
  }

  @Test func `it ends when who asked quits`() throws {
    #expect(try ann.askTypes("quit") == ["bye quit"])
    #expect(try bob.hear() == [ended])
  }

  @Test(arguments: [false, true])
  func `it ends when who asked is lost`(isCut: Bool) throws {
    if isCut { ann.cut() } else { ann.end() }
    #expect(try bob.hear() == [ended])
  }

  @Test func `it ends without a line when it is accepted`() throws {
    #expect(try bob.askTypes("start ann") == ["gameDidStart"])
    #expect(try ann.hearTypes() == ["gameDidStart"])
  }

  @Test func `who waits is told when the named one quits, and is in the lobby`() throws {
    bob.say("quit")
    #expect(try ann.hear() == [["type": "didCancel"]])
    #expect(try ann.askTypes("cancel") == ["notWaiting"])
    #expect(try ann.askTypes("start bob") == ["unknownPlayer"])
    #expect(try ann.askTypes("start") == ["didQueue"])
  }

  @Test(arguments: [false, true])
  func `who waits is told when the named one is lost`(isCut: Bool) throws {
    if isCut { bob.cut() } else { bob.end() }
    #expect(try ann.hear() == [["type": "didCancel"]])
  }

  @Test func `it stands while the named one plays with another`() throws {
    let cid = server.client(as: "cid")
    #expect(try bob.askTypes("start bot") == ["gameDidStart"])
    #expect(try ann.hear() == [])
    #expect(try bob.askTypes("leave") == ["gameDidEnd", "matchDidEnd"])
    #expect(try bob.askTypes("start cid") == ["didQueue"])
    #expect(try bob.askTypes("cancel") == ["didCancel"])
    #expect(try bob.ask("start").first?["players"] == ["X": "ann", "O": "bob"])
    #expect(try cid.hearTypes() == ["invited", "invitationDidEnd"])
  }

  @Test func `it ends, and is told, while the named one plays with another`() throws {
    bob.say("start bot")
    ann.say("cancel")
    #expect(try bob.hear() == [ended])
  }

  @Test func `who waits is told when the named one quits from a match`() throws {
    bob.say("start bot")
    bob.say("quit")
    #expect(try ann.hear() == [["type": "didCancel"]])
  }

  @Test func `a line of answers goes along a chain of people who wait`() throws {
    let cid = server.client(as: "cid")
    #expect(try bob.askTypes("start cid") == ["didQueue"])
    bob.say("quit")
    #expect(try ann.hear() == [["type": "didCancel"]])
    #expect(try cid.hearTypes() == ["invited", "invitationDidEnd"])
  }
}
