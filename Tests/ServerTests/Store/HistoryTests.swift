import Foundation
import Shared
import TestSupport
import Testing

@testable import Server

/// Results, ratings and replays, as clients see them.
@Suite struct HistoryTests {
  private let fixture: StoreFixture
  private var server: TestServer { fixture.server }

  init() throws {
    fixture = try StoreFixture(games: [.ticTacToe, .other])
  }

  /// Sends a line after everything that has happened is in the archive, and returns the replies.
  private func ask(_ client: LineClient, _ line: String) throws -> [JSON] {
    fixture.settle()
    return try fixture.ask(client, line)
  }

  private func items(_ client: LineClient, _ line: String) throws -> [JSON] {
    try ask(client, line).last?["items"]?.elements ?? []
  }

  private func register(_ client: LineClient) throws {
    _ = client.takeLines()
    #expect(kinds(try ask(client, "register \"correct horse\"")) == ["didRegister"])
  }

  /// Two registered players in a game; the first is X.
  private func registeredMatch() throws -> (x: LineClient, o: LineClient) {
    let clients = (x: server.client(as: "ann"), o: server.client(as: "bob"))
    try register(clients.x)
    try register(clients.o)
    clients.x.say("start bob")
    clients.o.say("start ann")
    _ = (clients.x.takeLines(), clients.o.takeLines())
    return clients
  }

  @Test func `a finished game is in the history, once`() throws {
    let clients = server.match()
    server.playFirstRow(clients.x, clients.o)
    let item = try #require(try items(clients.x, "history").first)
    #expect(item["id"]?.integer == 1)
    #expect(item["match"]?.text == server.onlyMatch)
    #expect(item["game"]?.text == "tictactoe")
    #expect(item["players"]?["X"]?.text == "ann")
    #expect(item["result"]?.text == "win")
    #expect(item["winner"]?.text == "X")
    #expect(item["reason"]?.text == "line")
    #expect(item["moves"]?.integer == 5)
    #expect(item["ago"]?.integer == 0)
    #expect(item["line"] == nil)
    for _ in 0..<3 {
      try fixture.restart()
      fixture.settle()
      #expect(try items(server.client(as: "eve"), "history").count == 1)
    }
  }

  @Test func `the history of a player has the games with either mark`() throws {
    let clients = server.match("ann", "bob")
    server.playFirstRow(clients.x, clients.o)
    clients.x.say("start")
    clients.o.say("start")
    clients.x.say("resign")
    clients.x.say("leave")
    let zoe = server.client(as: "zoe")
    zoe.say("start bot")
    zoe.say("resign")
    _ = clients.o.takeLines()
    #expect(try items(clients.o, "history ANN").map { $0["id"]?.integer } == [2, 1])
    #expect(try items(clients.o, "history").map { $0["id"]?.integer } == [3, 2, 1])
    #expect(try items(clients.o, "history \"\" 3").map { $0["id"]?.integer } == [2, 1])
    #expect(try items(clients.o, "history bot").count == 1)
    #expect(try items(clients.o, "history nobody") == [])
    #expect(try items(clients.o, "history \(String(repeating: "x", count: 30))") == [])
  }

  @Test func `a long history comes in pages`() throws {
    let zoe = server.client(as: "zoe")
    zoe.say("start bot")
    for _ in 0..<60 {
      zoe.say("resign")
      zoe.say("start")
    }
    _ = zoe.takeLines()
    let first = try #require(try ask(zoe, "history zoe").first)
    #expect(first["items"]?.elements.count == 50)
    let next = try #require(first["next"]?.integer)
    #expect(next == 11)
    let second = try #require(try ask(zoe, "history zoe \(next)").first)
    #expect(second["items"]?.elements.map { $0["id"]?.integer } == (1...10).reversed())
    #expect(second["next"] == nil)
  }

  @Test func `a game between registered players is rated`() throws {
    let clients = try registeredMatch()
    server.playFirstRow(clients.x, clients.o)
    _ = (clients.x.takeLines(), clients.o.takeLines())
    let items = try items(clients.x, "leaderboard")
    let expected = Rating.updated(PerMark(x: Rating(), o: Rating()), winner: .x)
    #expect(items.map { $0["name"]?.text } == ["ann", "bob"])
    #expect(items.map { $0["rank"]?.integer } == [1, 2])
    #expect(items.map { $0["rating"]?.integer } == [expected.x.rounded, expected.o.rounded])
    #expect(items.map { $0["provisional"]?.truth } == [true, true])
    #expect(items.map { $0["won"]?.integer } == [1, 0])
    #expect(items.map { $0["lost"]?.integer } == [0, 1])
    #expect(try self.items(clients.x, "leaderboard other") == [])
    let players = try clients.o.ask("list").first?["items"]?.elements ?? []
    #expect(
      players.map { $0["rating"]?.integer } == [expected.x.rounded, expected.o.rounded])
  }

  @Test func `a rating is the same after a restart in the middle of a game`() throws {
    let clients = try registeredMatch()
    clients.x.say("place 1 1")
    fixture.settle()
    try fixture.restart()
    fixture.settle()
    // Both are away, and the game is lost.
    server.clock.advance(by: .seconds(61))
    let eve = server.client(as: "eve")
    let items = try items(eve, "leaderboard")
    #expect(items.count == 2)
    #expect(try self.items(eve, "history").count == 1)
    try fixture.restart()
    fixture.settle()
    #expect(try self.items(server.client(as: "eve"), "leaderboard") == items)
  }

  @Test func `games of guests and against the bot are not rated`() throws {
    let ann = server.client(as: "ann")
    try register(ann)
    ann.say("start bot")
    ann.say("resign")
    ann.say("leave")
    let bob = server.client(as: "bob")
    ann.say("start bob")
    bob.say("start ann")
    bob.say("resign")
    // Too late for the game before.
    try register(bob)
    _ = ann.takeLines()
    #expect(try items(ann, "leaderboard") == [])
    #expect(try items(ann, "history").count == 2)
  }

  @Test func `a game does not count once an account is given up`() throws {
    let clients = try registeredMatch()
    #expect(kinds(try ask(clients.o, "unregister \"correct horse\"")) == ["didUnregister"])
    // Neither is it the same account.
    #expect(kinds(try ask(clients.o, "register \"correct horse\"")) == ["didRegister"])
    server.playFirstRow(clients.x, clients.o)
    _ = clients.x.takeLines()
    #expect(try items(clients.x, "leaderboard") == [])
    #expect(try items(clients.x, "history").count == 1)
    clients.x.say("start")
    clients.o.say("start")
    clients.o.say("resign")
    _ = clients.x.takeLines()
    #expect(try items(clients.x, "leaderboard").count == 2)
  }

  @Test func `a game that ended before an account was given up counts for the other`() throws {
    let clients = try registeredMatch()
    server.playFirstRow(clients.x, clients.o)
    clients.o.sendOnly("unregister \"correct horse\"")
    server.network.run()
    fixture.settle()
    _ = clients.x.takeLines()
    let items = try items(clients.x, "leaderboard")
    #expect(items.map { $0["name"]?.text } == ["ann"])
    #expect(items.first?["rating"]?.integer ?? 0 > 1_700)
  }

  @Test func `a replay has the lines of a spectator`() throws {
    let clients = server.match()
    let match = server.onlyMatch
    let eve = server.client(as: "eve")
    #expect(kinds(try ask(eve, "replay \(match)")) == ["unknownMatch"])
    eve.say("watch \(match)")
    _ = eve.takeLines()
    server.playFirstRow(clients.x, clients.o)
    clients.x.say("say \"well played 🎲\"")
    clients.x.say("leave")
    server.network.run()
    let seen = eve.takeLines().filter { $0.contains("\"seq\"") }
    fixture.settle()
    eve.sendOnly("replay \(match)")
    server.network.run()
    fixture.settle()
    let lines = eve.takeLines()
    #expect(lines.dropFirst(2).dropLast() == seen[...])
    let header = try JSON(try #require(lines.first))
    #expect(header.type == "replayDidStart")
    #expect(header["last"]?.integer == lines.count - 2)
    #expect(header["players"]?["O"]?.text == "bob")
    #expect(header["game"]?.text == "tictactoe")
    #expect(
      try JSON(try #require(lines.last)) == ["type": "replayDidEnd", "match": .string(match)])
    let rest = try ask(eve, "replay \(match) 7")
    #expect(rest.dropFirst().dropLast().map { $0["seq"]?.integer } == Array(8..<lines.count - 1))
    #expect(try ask(eve, "replay \(match) 999").count == 2)
  }

  @Test func `a long replay comes in parts`() throws {
    let zoe = server.client(as: "zoe")
    zoe.say("start bot")
    let match = server.onlyMatch
    for _ in 0..<300 {
      zoe.say("resign")
      zoe.say("start")
    }
    zoe.say("leave")
    _ = zoe.takeLines()
    let part = try ask(zoe, "replay \(match)")
    #expect(part.count == 502)
    let next = try #require(part.last?["next"]?.integer)
    #expect(next == 500)
    let rest = try ask(zoe, "replay \(match) \(next)")
    #expect(rest.dropFirst().first?["seq"]?.integer == 501)
    #expect(rest.last?["next"] == nil)
    #expect(rest.dropLast().last?["type"]?.text == "matchDidEnd")
  }

  @Test func `a replay is for players in the lobby`() throws {
    let clients = server.match()
    #expect(kinds(try ask(clients.x, "replay aaaa")) == ["inMatch"])
    let eve = server.client(as: "eve")
    eve.say("watch \(server.onlyMatch)")
    _ = eve.takeLines()
    #expect(kinds(try ask(eve, "replay aaaa")) == ["spectator"])
    let bob = server.client(as: "wendy")
    bob.say("start")
    _ = bob.takeLines()
    #expect(kinds(try ask(bob, "replay aaaa")) == ["alreadyWaiting"])
  }

  @Test func `the leaderboard of a game that is not here is unknown`() throws {
    #expect(kinds(try ask(server.client(as: "ann"), "leaderboard chess")) == ["unknownGame"])
  }

  @Test func `segments go when the archive has what they hold`() throws {
    let fixture = try StoreFixture(options: StoreOptions(maxSegment: 65_536))
    let ann = fixture.server.client(as: "ann")
    for _ in 0..<400 {
      ann.say("start bot")
      ann.say("place 1 1")
      ann.say("leave")
      _ = ann.takeLines()
      fixture.settle()
    }
    let numbers = try SegmentFolder(path: fixture.journalPath).numbers()
    #expect(numbers.count <= 2)
    #expect(numbers.last ?? 0 > 3)
    ann.sendOnly("history")
    fixture.server.network.run()
    fixture.settle()
    #expect(try ann.hear().first?["items"]?.elements.first?["id"]?.integer == 400)
  }
}

/// Archives and journals that do not belong together.
@Suite struct LostFileTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Plays a match against the bot to its end, and returns its id.
  private func playMatch() throws -> String {
    let zoe = fixture.server.client(as: "zoe")
    _ = zoe.takeLines()
    let match = try #require(try zoe.ask("start bot").first?["match"]?.text)
    zoe.say("resign")
    zoe.say("leave")
    zoe.say("quit")
    fixture.settle()
    return match
  }

  @Test func `after the journal was lost, no id comes again and the results stay`() throws {
    let first = try playMatch()
    try fixture.restart { $0 = [] }
    #expect(fixture.recovery.hasLostJournal)
    let second = try playMatch()
    #expect(second != first)
    let eve = fixture.server.client(as: "eve")
    _ = eve.takeLines()
    eve.sendOnly("history")
    fixture.server.network.run()
    fixture.settle()
    let items = try eve.hear().first?["items"]?.elements ?? []
    #expect(items.map { $0["match"]?.text } == [second, first])
    try fixture.restart()
    #expect(!fixture.recovery.hasLostJournal)
  }

  @Test(arguments: [true, false])
  func `a server whose archive was lost does not start`(isEmpty: Bool) throws {
    _ = try playMatch()
    let path = "\(fixture.folder.path)/archive.db"
    #expect {
      try fixture.restart { _ in
        for name in [path, path + "-wal", path + "-shm"] {
          try? FileManager.default.removeItem(atPath: name)
        }
        if isEmpty { _ = FileManager.default.createFile(atPath: path, contents: nil) }
      }
    } throws: {
      let error = $0 as? StartError
      return error?.code == .damaged && error?.sentence.contains("archive.db is missing") == true
    }
  }

  @Test func `a server whose archive is damaged does not start`() throws {
    _ = try playMatch()
    #expect {
      try fixture.restart { _ in
        for name in ["archive.db-wal", "archive.db-shm"] {
          try? FileManager.default.removeItem(atPath: "\(fixture.folder.path)/\(name)")
        }
        try? Data(repeating: 7, count: 8_192).write(
          to: URL(fileURLWithPath: "\(fixture.folder.path)/archive.db"))
      }
    } throws: {
      let error = $0 as? StartError
      return error?.code == .damaged && error?.sentence.contains("Restore a backup") == true
    }
  }
}
