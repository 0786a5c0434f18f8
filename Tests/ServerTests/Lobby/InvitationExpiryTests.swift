import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct InvitationExpiryTests {
  private let server = TestServer(
    settings: ServerSettings(turn: nil, inviteWithin: .seconds(120)))
  private let ann: LineClient
  private let bob: LineClient

  init() throws {
    ann = server.client(as: "ann")
    bob = server.client(as: "bob")
    #expect(
      try ann.ask("start bob")
        == [["type": "didQueue", "game": "tictactoe", "opponent": "bob", "expires": 120_000]])
    #expect(
      try bob.hear()
        == [["type": "invited", "from": "ann", "game": "tictactoe", "expires": 120_000]])
  }

  private func advance(_ time: Duration) {
    server.clock.advance(by: time)
    server.network.run()
  }

  @Test func `an invitation stands for its time, and then ends for both players`() throws {
    advance(.milliseconds(119_999))
    #expect(try ann.hear() + bob.hear() == [])
    advance(.milliseconds(1))
    #expect(try ann.hear() == [["type": "didCancel", "reason": "expired"]])
    #expect(
      try bob.hear() == [["type": "invitationDidEnd", "from": "ann", "game": "tictactoe"]])
    #expect(try ann.askTypes("start bob") == ["didQueue"])
    #expect(try bob.hearTypes() == ["invited"])
  }

  @Test func `it ends also while the invited player is in a match`() throws {
    bob.say("start bot")
    _ = bob.takeLines()
    advance(.seconds(120))
    #expect(try bob.hearTypes() == ["invitationDidEnd"])
    #expect(try ann.hearTypes() == ["didCancel"])
  }

  @Test(arguments: ["cancel", "quit"])
  func `a request that was withdrawn does not expire`(command: String) throws {
    ann.say(command)
    _ = (ann.takeLines(), bob.takeLines())
    #expect(server.clock.next == nil || command == "quit")
    advance(.seconds(120))
    #expect(try bob.hear() == [])
  }

  @Test func `an accepted invitation does not expire`() throws {
    bob.say("start ann")
    _ = (ann.takeLines(), bob.takeLines())
    advance(.seconds(120))
    #expect(try ann.hear() + bob.hear() == [])
  }

  @Test func `a session that is taken over hears how long its requests still stand`() throws {
    let (cid, dan) = (try Player("cid", at: server), try Player("dan", at: server))
    try cid.ask("start dan")
    advance(.seconds(50))
    #expect(try cid.resume().last?["expires"] == 70_000)
    #expect(try dan.resume().last?["expires"] == 70_000)
  }

  @Test func `a wait for anyone and a request for the next game do not expire`() throws {
    let (cid, dan) = (server.client(as: "cid"), server.client(as: "dan"))
    #expect(try cid.ask("start").first?["expires"] == nil)
    advance(.seconds(600))
    #expect(try dan.askTypes("start") == ["gameDidStart"])
    dan.say("resign")
    _ = (cid.takeLines(), dan.takeLines())
    #expect(try cid.ask("start").last?["expires"] == nil)
    #expect(try dan.hear().last?["expires"] == nil)
    advance(.seconds(600))
    #expect(try dan.askTypes("start") == ["gameDidStart"])
  }

  @Test func `a start that names an inviting player without a game takes that player's game`()
    throws
  {
    let server = TestServer(games: [.ticTacToe, .other])
    let (cid, dan) = (server.client(as: "cid"), server.client(as: "dan"))
    cid.say("start dan four")
    #expect(try dan.hear().first?["game"] == "four")
    #expect(try dan.ask("start cid").first?["game"] == "four")
    for client in [cid, dan] { client.say("leave") }
    cid.say("start dan four")
    _ = (cid.takeLines(), dan.takeLines())
    // Another game is an invitation of its own.
    #expect(try dan.ask("start cid tictactoe").first?["type"] == "didQueue")
    // Without a name, `start` asks for the default game.
    dan.say("cancel")
    _ = dan.takeLines()
    #expect(try dan.ask("start").first?["game"] == "tictactoe")
  }

  @Test func `the time is announced, and none is no limit`() throws {
    let hello = try LineClient(server.connect(), on: server.network).ask("ping").first
    #expect(hello?["limits"]?["inviteWithin"] == 120_000)
    let endless = TestServer()
    let (cid, dan) = (endless.client(as: "cid"), endless.client(as: "dan"))
    #expect(try cid.ask("start dan").first?["expires"] == nil)
    #expect(try dan.hear().first?["expires"] == nil)
    #expect(endless.clock.next == nil)
  }
}
