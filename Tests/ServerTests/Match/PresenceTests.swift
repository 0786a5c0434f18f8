import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct PresenceTests {
  private let server = TestServer()

  @Test(arguments: [true, false])
  func `a lost connection is reported with the time to resume`(isCut: Bool) throws {
    let (x, o) = try server.players()
    if isCut { o.cut() } else { o.client.end() }
    let line = try #require(try x.hear().first)
    #expect(
      line.without("match") == [
        "type": "presenceDidChange", "seq": 2, "mark": "O", "online": false, "grace": 60_000,
      ])
    #expect(try server.client().askTypes("login BOB") == ["nameTaken"])
    let items = try x.ask("list").first?["items"]?.elements
    #expect(items?.last == ["name": "bob", "place": "playing", "game": "tictactoe"])
  }

  @Test func `the other player can still move`() throws {
    let (x, o) = try server.players()
    o.cut()
    #expect(try x.askTypes("place 0 0") == ["presenceDidChange", "boardDidChange"])
    #expect(try x.askTypes("place 0 1") == ["notYourTurn"])
  }

  @Test func `a player who does not resume in time loses the game, and the match ends`() throws {
    let (x, o) = try server.players()
    o.cut()
    _ = try x.hear()
    server.clock.advance(by: .milliseconds(59_999))
    server.network.run()
    #expect(try x.hear() == [])
    server.clock.advance(by: .milliseconds(1))
    server.network.run()
    let lines = try x.hear()
    #expect(kinds(lines) == ["gameDidEnd", "matchDidEnd"])
    #expect(lines.map { $0["reason"] } == ["abandoned", "abandoned"])
    #expect(lines.map { $0["seq"] } == [3, 4])
    #expect(lines.first?["winner"] == "X")
    #expect(lines.last?["by"] == "O")
    #expect(lines.last?["score"] == ["X": 1, "O": 0, "draws": 0])
    #expect(try server.client().askTypes("login bob") == ["didLogin"])
    #expect(try x.askTypes("start bot") == ["gameDidStart"])
    #expect(try server.client().askTypes("resume \(o.token)") == ["unknownToken"])
  }

  @Test(arguments: ["", "start"])
  func `a shutdown between games also ends the match`(asked: String) throws {
    let (x, o) = try server.playersBetweenGames()
    try o.ask(asked)
    o.cut()
    _ = try x.hear()
    server.clock.advance(by: .seconds(60))
    server.network.run()
    let lines = try x.hear()
    #expect(kinds(lines) == ["matchDidEnd"])
    #expect(lines.first?["reason"] == "abandoned")
    #expect(lines.first?["by"] == "O")
    #expect(lines.first?["score"] == ["X": 1, "O": 0, "draws": 0])
    try x.ask("quit")
    try server.expectNothingLeft()
  }

  @Test(arguments: ["leave", "quit"])
  func `if the match ends first, the session that waited ends with it`(way: String) throws {
    let (x, o) = try server.players()
    let zoe = server.client(as: "zoe")
    zoe.say("start bot")
    o.cut()
    #expect(try x.askTypes(way).starts(with: ["presenceDidChange", "gameDidEnd", "matchDidEnd"]))
    #expect(try server.client().askTypes("resume \(o.token)") == ["unknownToken"])
    #expect(try server.client().askTypes("login bob") == ["didLogin"])
    #expect(try zoe.hear() == [])
  }

  @Test func `a player who waits for a lost player is informed when that session ends`() throws {
    let bob = try Player("bob", at: server)
    let ann = server.client(as: "ann")
    ann.say("start bob")
    try bob.ask("start bot")
    bob.cut()
    #expect(try ann.hear() == [])
    server.clock.advance(by: .seconds(60))
    server.network.run()
    #expect(try ann.hear() == [["type": "didCancel", "reason": "left"]])
    #expect(try ann.askTypes("start bob") == ["unknownPlayer"])
  }

  @Test func `of two lost players the first loses, and both sessions end`() throws {
    let (x, o) = try server.players()
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    x.cut()
    server.clock.advance(by: .seconds(20))
    o.cut()
    #expect(try eve.hear().map { $0["mark"] } == ["X", "O"])
    server.clock.advance(by: .seconds(40))
    server.network.run()
    let lines = try eve.hear()
    #expect(kinds(lines) == ["gameDidEnd", "matchDidEnd"])
    #expect(lines.last?["by"] == "X")
    #expect(try eve.askTypes("quit") == ["bye quit"])
    try server.expectNothingLeft()
  }

  @Test func `of two lost players one may resume and win`() throws {
    let (x, o) = try server.players()
    x.cut()
    server.clock.advance(by: .seconds(20))
    o.cut()
    let lines = try o.resume(after: 1)
    #expect(kinds(lines) == ["didLogin"] + Array(repeating: "presenceDidChange", count: 3))
    #expect(lines.map { $0["mark"] } == [nil, "X", "O", "O"])
    #expect(lines.map { $0["online"] } == [nil, false, false, true])
    server.clock.advance(by: .seconds(40))
    server.network.run()
    #expect(try o.hear().map { $0["reason"] } == ["abandoned", "abandoned"])
    try o.ask("quit")
    try server.expectNothingLeft()
  }

  @Test func `a player lost in a match with the bot loses in the same way`() throws {
    let ann = try Player("ann", at: server)
    try ann.ask("start bot")
    ann.cut()
    server.clock.advance(by: .seconds(59))
    #expect(kinds(try ann.resume(after: 1)) == ["didLogin"] + Self.lostAndBack)
    // Each loss begins a new time.
    ann.cut()
    server.clock.advance(by: .seconds(59))
    #expect(server.root.children.count == 1)
    server.clock.advance(by: .seconds(1))
    try server.expectNothingLeft()
  }

  @Test func `the time to resume can be set`() throws {
    let server = TestServer(settings: ServerSettings(resumeWithin: .milliseconds(1_500)))
    let (x, o) = try server.players()
    o.cut()
    #expect(try x.hear().first?["grace"] == 1_500)
    server.clock.advance(by: .milliseconds(1_500))
    server.network.run()
    #expect(try x.hear().map { $0["reason"] } == ["abandoned", "abandoned"])
    let hello = try LineClient(server.connect(), on: server.network).ask("ping").first
    #expect(hello?["limits"]?["resumeWithin"] == 1_500)
  }

  @Test func `without a time to resume a lost connection ends its match`() throws {
    let server = TestServer(
      settings: ServerSettings(resumeWithin: nil, turn: nil, inviteWithin: nil))
    let (x, o) = try server.players()
    o.cut()
    #expect(try x.hear().map { $0["reason"] } == ["abandoned", "abandoned"])
    #expect(try server.client().askTypes("login bob") == ["didLogin"])
    let hello = try LineClient(server.connect(), on: server.network).ask("ping").first
    #expect(hello?["limits"] == ["line": 4_096, "resumeWithin": 0])
  }

  @Test func `a shutdown does not wait for lost players`() throws {
    let (x, o) = try server.players()
    o.cut()
    _ = try x.hear()
    server.control.shutDown()
    server.network.run()
    #expect(try x.hearTypes() == ["matchDidEnd", "bye shutdown"])
    try server.expectNothingLeft()
  }

  @Test func `the whole server is freed while a player is lost`() throws {
    weak var freed: (any RootRouting)?
    do {
      let server = TestServer()
      let (x, o) = try server.players()
      o.cut()
      _ = x
      freed = server.root
    }
    #expect(freed == nil)
  }

  private static let lostAndBack = ["presenceDidChange", "presenceDidChange"]
}
