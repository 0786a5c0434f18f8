import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ResumeTests {
  private let server = TestServer()

  @Test func `a resumed client gets its name, the missed events, and then its return`() throws {
    let (x, o) = try server.players()
    o.cut()
    try x.ask("place 1 1")
    try x.ask("say hurry")
    let lines = try o.resume(after: 1)
    #expect(
      lines.first?.without("token") == ["type": "didLogin", "name": "bob", "place": "playing"])
    #expect(
      kinds(lines.dropFirst().map(\.self)) == [
        "presenceDidChange", "boardDidChange", "didSay", "presenceDidChange",
      ])
    #expect(lines.dropFirst().map { $0["seq"] } == [2, 3, 4, 5])
    #expect(lines.last?.without("match", "type") == ["seq": 5, "mark": "O", "online": true])
    #expect(try x.hear() == [try #require(lines.last)])
    #expect(try o.askTypes("place 0 0") == ["boardDidChange"])
  }

  @Test func `the reply has the id, and no other line has it`() throws {
    let (_, o) = try server.players()
    o.cut()
    let lines = try server.client().ask(
      #"{"type":"resume","token":"\#(o.token)","seq":1,"id":"r"}"#)
    #expect(lines.count == 3)
    #expect(lines.map { $0["re"] } == ["r", nil, nil])
  }

  @Test func `without a number a snapshot is sent`() throws {
    let (x, o) = try server.players()
    o.cut()
    try x.ask("place 1 1")
    let lines = try o.resume()
    #expect(kinds(lines) == ["didLogin", "matchSnapshot"])
    #expect(
      lines.last == [
        "type": "matchSnapshot", "match": .string(server.onlyMatch), "seq": 4,
        "game": "tictactoe", "you": "O", "players": ["X": "ann", "O": "bob"], "rows": 3, "cols": 3,
        "inARow": 3, "board": ["...", ".X.", "..."], "turn": "O",
        "lastMove": ["row": 1, "col": 1, "mark": "X"],
        "score": ["X": 0, "O": 0, "draws": 0], "online": ["X": true, "O": true], "over": false,
      ])
  }

  @Test(arguments: [4, 5, 1_000])
  func `for a future number a snapshot is sent`(seq: Int) throws {
    let (_, o) = try server.players()
    o.cut()
    #expect(kinds(try o.resume(after: seq)) == ["didLogin", "matchSnapshot"])
  }

  @Test func `for a number that is no longer kept a snapshot is sent`() throws {
    let (x, o) = try server.players()
    o.cut()
    for _ in 0..<60 { try x.ask("say \(String(repeating: "x", count: 200))") }
    let lines = try o.resume(after: 1)
    #expect(kinds(lines) == ["didLogin", "matchSnapshot"])
    #expect(lines.last?["seq"] == 63)
  }

  @Test func `between games the snapshot has the outcome of the last game`() throws {
    let (x, o) = try server.playersBetweenGames()
    x.cut()
    let lines = try x.resume()
    let snapshot = try #require(lines.last)
    #expect(snapshot["over"] == true)
    #expect(snapshot["turn"] == nil)
    #expect(snapshot["result"] == "win")
    #expect(snapshot["winner"] == "X")
    #expect(snapshot["reason"] == "resigned")
    #expect(snapshot["line"] == nil)
    #expect(snapshot["score"] == ["X": 1, "O": 0, "draws": 0])
    #expect(try o.hear().map { $0["online"] } == [false, true])
  }

  @Test func `the outcome in a snapshot has its line`() throws {
    let (x, o) = try server.players()
    server.playFirstRow(x.client, o.client)
    let snapshot = try o.ask("sync").last
    #expect(snapshot?["over"] == true)
    #expect(snapshot?["board"] == ["XXX", "OO.", "..."])
    #expect(snapshot?["reason"] == "line")
    #expect(snapshot?["line"] == [[0, 0], [0, 1], [0, 2]])
  }

  @Test func `a player's own request for a rematch is repeated`() throws {
    let (x, o) = try server.playersBetweenGames()
    try o.ask("start")
    o.cut()
    let lines = try o.resume(after: 2)
    #expect(
      kinds(lines) == ["didLogin", "presenceDidChange", "presenceDidChange", "didQueue"])
    #expect(lines.last == ["type": "didQueue", "game": "tictactoe"])
    _ = try x.hear()
    #expect(try x.askTypes("start") == ["gameDidStart"])
    #expect(try o.hearTypes() == ["gameDidStart"])
  }

  @Test func `the next game may begin while a player is lost`() throws {
    let (x, o) = try server.playersBetweenGames()
    try o.ask("start")
    o.cut()
    _ = try x.hear()
    let begun = try #require(try x.ask("start").last)
    #expect(begun["you"] == "O")
    let lines = try o.resume(after: 2)
    #expect(
      kinds(lines) == ["didLogin", "presenceDidChange", "gameDidStart", "presenceDidChange"])
    #expect(lines[2]["you"] == "X")
    // The marks were swapped in between. Each event has those of its game.
    #expect(lines.map { $0["mark"] } == [nil, "O", nil, "X"])
    #expect(try o.askTypes("place 0 0") == ["boardDidChange"])
  }

  @Test func `a request made while a player was lost is sent when the player resumes`() throws {
    let (x, o) = try server.playersBetweenGames()
    o.cut()
    #expect(try x.askTypes("start") == ["presenceDidChange", "didQueue"])
    let lines = try o.resume(after: 3)
    #expect(kinds(lines) == ["didLogin", "presenceDidChange", "invited"])
    #expect(lines.last == ["type": "invited", "from": "ann", "game": "tictactoe"])
    #expect(try o.askTypes("start") == ["gameDidStart"])
  }

  @Test func `a request that was cancelled meanwhile is not sent`() throws {
    let (x, o) = try server.playersBetweenGames()
    o.cut()
    try x.ask("start")
    try x.ask("cancel")
    #expect(kinds(try o.resume(after: 3)) == ["didLogin", "presenceDidChange"])
  }

  @Test func `open invitations of others are sent again`() throws {
    let (_, o) = try server.players()
    try o.ask("leave")
    let (cid, dan) = (server.client(as: "cid"), server.client(as: "dan"))
    cid.say("start bob")
    dan.say("start bob")
    try o.ask("start bot")
    _ = try o.hear()
    o.cut()
    dan.say("cancel")
    let lines = try o.resume(after: 1)
    #expect(
      kinds(lines) == ["didLogin", "presenceDidChange", "presenceDidChange", "invited"])
    #expect(lines.last?["from"] == "cid")
  }

  @Test func `a token is valid once`() throws {
    let (x, o) = try server.players()
    o.cut()
    let used = o.token
    try o.resume()
    #expect(o.token != used)
    let lines = try server.client().ask("resume \(used)")
    #expect(kinds(lines) == ["unknownToken"])
    #expect(lines.first?["field"] == "token")
    #expect(!o.client.isClosedByServer)
    _ = try x.hear()
    o.cut()
    #expect(kinds(try o.resume(after: 3)).first == "didLogin")
  }

  @Test func `a spent token is valid again if the reply to it was lost`() throws {
    let (x, o) = try server.players()
    let first = o.token
    // The client resumes and is cut off before the answer arrives, again and again.
    for _ in 0..<3 {
      o.cut()
      let lost = server.connect()
      lost.send(Array("resume \(first) 1\n".utf8).span)
      server.network.run()
      #expect(try server.client().askTypes("resume \(first)") == ["unknownToken"])
      lost.cut()
    }
    let lines = try server.client().ask("resume \(first) 1")
    #expect(kinds(lines).first == "didLogin")
    #expect(lines.last?["seq"] == 9)
    #expect(kinds(try x.hear()).count == 8)
  }

  @Test func `a spent token is invalid once the next token has been used`() throws {
    let (_, o) = try server.players()
    let first = o.token
    o.cut()
    let second = try o.resume(after: 2)[0]["token"]?.text
    o.cut()
    try o.resume(after: 4)
    o.cut()
    #expect(try server.client().askTypes("resume \(first)") == ["unknownToken"])
    #expect(kinds(try server.client().ask("resume \(second ?? "")")).first == "didLogin")
  }

  @Test func `a token does not outlive its session`() throws {
    let (_, o) = try server.players()
    let first = o.token
    o.cut()
    try o.resume(after: 2)
    try o.ask("quit")
    for token in [first, o.token] {
      #expect(try server.client().askTypes("resume \(token)") == ["unknownToken"])
    }
  }

  @Test(arguments: ["x", "AAAAAAAAAAAAAAAAAAAAAA", "ann", "\"\u{1F600}\""])
  func `after an unknown token the client can still log in`(token: String) throws {
    _ = try server.players()
    let client = server.client()
    #expect(try client.askTypes("resume \(token)") == ["unknownToken"])
    #expect(try client.askTypes("login zoe") == ["didLogin"])
  }

  @Test func `a client that is logged in cannot resume another session`() throws {
    let (x, o) = try server.players()
    o.cut()
    _ = try x.hear()
    #expect(try x.askTypes("resume \(o.token)") == ["alreadyLoggedIn"])
    #expect(try x.askTypes("resume \(x.token)") == ["alreadyLoggedIn"])
    #expect(kinds(try o.resume()) == ["didLogin", "matchSnapshot"])
  }

  @Test func `a token ends with its session`() throws {
    let ann = try Player("ann", at: server)
    try ann.ask("quit")
    #expect(try server.client().askTypes("resume \(ann.token)") == ["unknownToken"])
    let bob = try Player("bob", at: server)
    bob.cut()
    #expect(try server.client().askTypes("resume \(bob.token)") == ["unknownToken"])
  }

  @Test func `an old connection that ends late does not end the session`() throws {
    let (x, o) = try server.players()
    o.client.stopReading()
    // Unread replies finally close the connection.
    for _ in 0..<300 { o.client.sendOnly("help") }
    server.network.run()
    server.clock.advance(by: .seconds(10))
    server.network.run()
    #expect(try x.hearTypes() == ["presenceDidChange"])
    #expect(kinds(try o.resume(after: 2)) == ["didLogin", "presenceDidChange"])
    server.clock.advance(by: .seconds(100))
    server.network.run()
    #expect(try x.hearTypes() == ["presenceDidChange"])
    #expect(try x.askTypes("place 0 0") == ["boardDidChange"])
  }

  @Test func `a hundred resumes leave nothing behind`() throws {
    let (x, o) = try server.players()
    for round in 0..<100 {
      let player = round.isMultiple(of: 3) ? x : o
      player.cut()
      server.clock.advance(by: .seconds(1))
      let lines = try player.resume(after: round.isMultiple(of: 2) ? 2 * round + 1 : nil)
      #expect(lines.count == (round.isMultiple(of: 2) ? 3 : 2))
    }
    try x.ask("quit")
    o.cut()
    try server.expectNothingLeft()
  }
}
