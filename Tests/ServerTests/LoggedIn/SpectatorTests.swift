import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct SpectatorTests {
  private let server = TestServer()

  @Test func `a new spectator gets a snapshot without a mark`() throws {
    let (x, o) = server.match()
    x.say("place 1 1")
    _ = o.takeLines()
    let eve = server.client(as: "eve")
    let match = server.onlyMatch
    let lines = try eve.ask(#"{"type":"watch","match":"\#(match)","id":1}"#)
    #expect(
      lines == [
        [
          "type": "matchSnapshot", "re": 1, "match": .string(match), "seq": 2,
          "game": "tictactoe", "players": ["X": "ann", "O": "bob"], "rows": 3, "cols": 3,
          "inARow": 3, "board": ["...", ".X.", "..."], "turn": "O",
          "lastMove": ["row": 1, "col": 1, "mark": "X"],
          "score": ["X": 0, "O": 0, "draws": 0], "online": ["X": true, "O": true],
          "spectators": 1, "over": false,
        ],
        ["type": "spectatorsDidChange", "match": .string(match), "count": 1],
      ])
    #expect(try x.hearTypes() == ["spectatorsDidChange"])
    #expect(try o.hearTypes() == ["spectatorsDidChange"])
    #expect(
      try eve.ask("list").first?["items"]?.elements.last
        == ["name": "eve", "place": "watching", "game": "tictactoe"])
  }

  @Test func `a spectator gets the same events with the same numbers, without you`() throws {
    let (x, o) = server.match()
    let (eve, fay) = (server.client(as: "eve"), server.client(as: "fay"))
    for spectator in [eve, fay] { spectator.say("watch \(server.onlyMatch)") }
    server.playFirstRow(x, o)
    for (client, line) in [(x, "say well played"), (o, "start"), (x, "start"), (o, "leave")] {
      client.sendOnly(line)
      server.network.run()
    }
    let told = try x.hear().filter { $0["seq"] != nil }
    let seen = try eve.hear()
    #expect(seen == told.map { $0.without("you") })
    #expect(try fay.hear() == seen)
    #expect(seen.count == 10)
    #expect(seen.last?["type"] == "matchDidEnd")
    // Everyone is in the lobby.
    #expect(try eve.askTypes("leave") == ["notInMatch"])
    #expect(try eve.askTypes("start fay") == ["didQueue"])
    for client in [x, o, eve, fay] { client.say("quit") }
    try server.expectNothingLeft()
  }

  @Test func `a spectator sees a match with the bot, and lost players`() throws {
    let ann = try Player("ann", at: server)
    try ann.ask("start bot")
    ann.cut()
    let eve = server.client(as: "eve")
    #expect(
      try eve.ask("watch \(server.onlyMatch)").first?["online"] == ["X": false, "O": true])
    try ann.resume()
    #expect(try eve.hear().map { $0["online"] } == [true])
    try ann.ask("place 1 1")
    #expect(try eve.hearTypes() == ["boardDidChange", "boardDidChange"])
  }

  @Test func `between games a spectator's snapshot has an outcome`() throws {
    _ = server.wonMatch()
    let snapshot = try server.client(as: "eve").ask("watch \(server.onlyMatch)").first
    #expect(snapshot?["over"] == true)
    #expect(snapshot?["winner"] == "X")
    #expect(snapshot?["seq"] == 7)
    #expect(snapshot?["turn"] == nil)
    #expect(snapshot?["line"] == [[0, 0], [0, 1], [0, 2]])
  }

  @Test func `a spectator's leave gets a reply, and no match event tells of it`() throws {
    let (x, o) = server.match()
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    _ = o.takeLines()
    #expect(try eve.ask(#"{"type":"leave","id":3}"#) == [["type": "didLeave", "re": 3]])
    x.say("place 0 0")
    #expect(try eve.hear() == [])
    #expect(try o.hearTypes() == ["boardDidChange"])
    #expect(try eve.askTypes("watch \(server.onlyMatch)") == ["matchSnapshot"])
    #expect(try eve.askTypes("quit") == ["didLeave", "bye quit"])
  }

  @Test func `a spectator whose connection is lost is removed at once`() throws {
    let (x, o) = server.match()
    let eve = try Player("eve", at: server)
    try eve.ask("watch \(server.onlyMatch)")
    _ = o.takeLines()
    eve.cut()
    #expect(try server.client().askTypes("resume \(eve.token)") == ["unknownToken"])
    #expect(try server.client().askTypes("login eve") == ["didLogin"])
    x.say("place 0 0")
    #expect(try o.hearTypes() == ["boardDidChange"])
  }

  @Test(arguments: ["place 0 0", "resign", "start", "start bot", "watch m"])
  func `a spectator cannot play`(command: String) throws {
    let (x, o) = server.match()
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    _ = (x.takeLines(), o.takeLines())
    #expect(try eve.askTypes(command) == ["spectator"])
    #expect(try x.hear() + o.hear() == [])
  }

  @Test func `a spectator cannot be invited, and earlier invitations remain`() throws {
    _ = server.match()
    let (eve, fay) = (server.client(as: "eve"), server.client(as: "fay"))
    fay.say("start eve")
    eve.say("watch \(server.onlyMatch)")
    let lines = try server.client(as: "gil").ask("start eve")
    #expect(kinds(lines) == ["inMatch"])
    #expect(lines.first?["field"] == "opponent")
    #expect(try eve.askTypes("leave") == ["didLeave"])
    #expect(try eve.askTypes("start fay") == ["gameDidStart"])
  }

  @Test func `a match that has ended is unknown`() throws {
    let (x, _) = server.match()
    let match = server.onlyMatch
    x.say("leave")
    let lines = try server.client(as: "eve").ask("watch \(match)")
    #expect(kinds(lines) == ["unknownMatch"])
    #expect(lines.first?["field"] == "match")
  }

  @Test func `a match has up to the maximum of spectators`() throws {
    let server = TestServer(
      settings: ServerSettings(turn: nil, inviteWithin: nil, maxSpectators: 2))
    let (x, _) = server.match()
    let match = server.onlyMatch
    let people = ["eve", "fay", "gil"].map { server.client(as: $0) }
    #expect(
      try people[0].askTypes("watch \(match)") == ["matchSnapshot", "spectatorsDidChange"])
    _ = x.takeLines()
    #expect(try people[1].askTypes("watch \(match)") == ["matchSnapshot"])
    let full = try people[2].ask("watch \(match)")
    #expect(kinds(full) == ["full"])
    #expect(full.first?["retry"] == 5_000)
    // full is reported before the errors of the session's place.
    #expect(try x.askTypes("watch \(match)") == ["full"])
    #expect(try server.client().askTypes("watch \(match)") == ["full"])
    #expect(try people[2].askTypes("watch nothing") == ["unknownMatch"])
    people[0].say("leave")
    #expect(try people[2].askTypes("watch \(match)") == ["matchSnapshot"])
  }

  @Test func `a spectator who does not read is disconnected, and nobody waits for it`() throws {
    let (x, o) = server.match()
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    eve.stopReading()
    _ = (x.takeLines(), o.takeLines())
    let text = String(repeating: "😀", count: 200)
    for _ in 0..<160 {
      #expect(try x.askTypes("say \(text)") == ["didSay"])
      #expect(try o.hearTypes() == ["didSay"])
    }
    #expect(
      try x.ask("list").first?["items"]?.elements.map { $0["name"] } == ["ann", "bob"])
    #expect(eve.isReset)
    #expect(try x.askTypes("place 0 0") == ["boardDidChange"])
  }
}
