import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct ListTests {
  private let server = TestServer(games: [.ticTacToe, .other])

  @Test func `players are listed in the order of their logins, with their place`() throws {
    let ann = server.client(as: "ann")
    let bob = server.client(as: "bob")
    _ = server.match("c", "d")
    bob.say(#"start "" four"#)
    _ = server.client()
    let expected: JSON = [
      ["name": "ann", "place": "lobby"], ["name": "bob", "place": "waiting", "game": "four"],
      ["name": "c", "place": "playing", "game": "tictactoe"],
      ["name": "d", "place": "playing", "game": "tictactoe"],
    ]
    #expect(try ann.ask("list") == [["type": "players", "items": expected]])
    #expect(try ann.ask("list players") == ann.ask(#"{"type":"list","what":null}"#))
  }

  @Test func `matches are listed in the order in which they began`() throws {
    let ann = server.client(as: "ann")
    #expect(try ann.ask("list matches") == [["type": "matches", "items": []]])
    _ = server.match("c", "d")
    let (e, f) = server.match("e", "f")
    server.playFirstRow(e, f)
    ann.say("start bot")
    let items = try ann.ask("list matches").first?["items"]?.elements ?? []
    #expect(items.map { $0["players"]?["X"] } == ["c", "e", "ann"])
    #expect(items.map { $0["players"]?["O"] } == ["d", "f", "bot"])
    #expect(items.map { $0["running"] } == [true, false, true])
    #expect(items.map { $0["game"] } == ["tictactoe", "tictactoe", "tictactoe"])
    #expect(items.map { $0["score"] } == [nil, ["X": 1, "O": 0, "draws": 0], nil])
    #expect(Set(items.compactMap { $0["match"]?.text }).count == 3)
  }

  @Test func `games are listed as the greeting lists them`() throws {
    let client = LineClient(server.connect(), on: server.network)
    server.network.run()
    let hello = try #require(try client.hear().first)
    client.say("login")
    let games = try client.ask("list games")
    #expect(games == [["type": "games", "items": try #require(hello["games"])]])
    #expect(
      hello["games"] == [
        ["id": "tictactoe", "name": "Tic Tac Toe", "rows": 3, "cols": 3, "inARow": 3],
        ["id": "four", "name": "Four", "rows": 4, "cols": 4, "inARow": 4],
      ])
    #expect(hello["protocol"] == 1)
    #expect(hello["server"]?.text == "tictactoe-server \(Version.current)")
    #expect(hello["limits"] == ["line": 4_096, "resumeWithin": 60_000])
  }

  @Test func `items that do not fit into a line are counted`() throws {
    let fixture = LobbyFixture()
    let people = try (0..<3_000).map {
      try SessionFixture("somebody of number \($0)", in: fixture)
    }
    let asking = try #require(people.last)
    asking.connection.receive("list\n")
    let line = try #require(asking.connection.takeLines().first)
    #expect(line.utf8.count < 65_536)
    let list = try JSON(line)
    let items = list["items"]?.elements ?? []
    #expect(list["more"] == .number(3_000 - items.count))
    #expect(
      items.map { $0["name"] }
        == people.prefix(items.count).map {
          .string($0.session.name.text)
        })
    // One more would not fit.
    let longest = #",{"name":"somebody of number 1999","place":"lobby"}"#.utf8.count
    #expect(line.utf8.count + 1 + longest > 65_536)
    // With the longest `re` it still fits into a line.
    let id = String(repeating: #"\u0001"#, count: 32)
    asking.connection.receive(#"{"type":"list","id":"\#(id)"}"# + "\n")
    let reply = try #require(asking.connection.takeLines().first)
    #expect(reply.utf8.count < 65_536)
    #expect(try JSON(reply)["re"]?.text?.unicodeScalars.count == 32)
  }

  @Test func `a long list is up to a quarter of a second old, a short one is current`() throws {
    let fixture = LobbyFixture()
    var people = try (1...100).map { try SessionFixture("p\($0)", in: fixture) }
    func list(_ line: String = "list") throws -> JSON {
      people[0].connection.receive("\(line)\n")
      return try JSON(try #require(people[0].connection.takeLines().first))
    }
    #expect(try list()["items"]?.elements.count == 100)
    people.append(try SessionFixture("p101", in: fixture))
    #expect(try list()["items"]?.elements.count == 101)
    people.append(try SessionFixture("p102", in: fixture))
    fixture.clock.advance(by: .milliseconds(249))
    #expect(try list()["items"]?.elements.count == 101)
    // A command with an id gets another line, and the matches are another list.
    #expect(try list(#"{"type":"list","id":1}"#)["items"]?.elements.count == 102)
    #expect(try list("list matches")["items"] == [])
    fixture.clock.advance(by: .milliseconds(1))
    #expect(try list()["items"]?.elements.count == 102)
    #expect(try list(#"{"type":"list","id":"x"}"#)["re"] == "x")
  }
}
