import RIBs
import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct LeaveTests {
  enum Way: CaseIterable {
    case leave, quit
  }

  private let server = TestServer()

  @Test func `a player who resigns loses the game, and the match continues`() throws {
    let (x, o) = server.match()
    let lines = try o.ask("resign")
    #expect(kinds(lines) == ["gameDidEnd"])
    #expect(lines.first?["reason"] == "resigned")
    #expect(lines.first?["winner"] == "X")
    #expect(try x.hear() == lines)
    #expect(try o.askTypes("resign") == ["noGame"])
    #expect(try x.askTypes("start") == ["didQueue"])
  }

  @Test func `a player may resign out of turn`() throws {
    let (x, _) = server.match()
    x.say("place 0 0")
    #expect(try x.ask("resign").first?["winner"] == "O")
  }

  @Test(arguments: Way.allCases)
  func `a player who leaves a running game loses it and ends the match`(way: Way) throws {
    let (x, o) = server.match()
    go(o, way)
    let lines = try x.hear()
    #expect(kinds(lines) == ["gameDidEnd", "matchDidEnd"])
    #expect(lines.first?["reason"] == "left")
    #expect(lines.first?["winner"] == "X")
    #expect(lines.last?["reason"] == "left")
    #expect(lines.last?["by"] == "O")
    #expect(lines.last?["score"] == ["X": 1, "O": 0, "draws": 0])
    #expect(lines.map { $0["seq"] } == [2, 3])
    switch way {
    case .leave: #expect(try o.hear() == lines)
    case .quit: #expect(try o.hearTypes() == ["gameDidEnd", "matchDidEnd", "bye quit"])
    }
    try expectNoMatch(x)
  }

  @Test(arguments: Way.allCases)
  func `a player who leaves between games ends only the match`(way: Way) throws {
    let (x, o) = server.wonMatch()
    go(x, way)
    let lines = try o.hear()
    #expect(kinds(lines) == ["matchDidEnd"])
    #expect(lines.first?["by"] == "X")
    #expect(lines.first?["score"] == ["X": 1, "O": 0, "draws": 0])
    try expectNoMatch(o)
  }

  @Test(arguments: Way.allCases)
  func `leaving cancels the player's request for a rematch without a line`(way: Way) throws {
    let (x, o) = server.wonMatch()
    x.say("start")
    #expect(try o.hearTypes() == ["invited"])
    go(x, way)
    #expect(try o.hearTypes() == ["matchDidEnd"])
    try expectNoMatch(o)
  }

  @Test(arguments: Way.allCases)
  func `leaving cancels the opponent's request for a rematch without a line`(way: Way) throws {
    let (x, o) = server.wonMatch()
    x.say("start")
    _ = x.takeLines()
    go(o, way)
    #expect(try x.hearTypes() == ["matchDidEnd"])
    try expectNoMatch(x)
  }

  @Test(arguments: Way.allCases)
  func `leaving the bot leaves nothing behind`(way: Way) throws {
    let ann = server.client(as: "ann")
    ann.say("start bot")
    go(ann, way)
    #expect(server.root.children.isEmpty)
    server.clock.advance(by: .seconds(2))
    #expect(server.leaks == [])
  }

  @Test func `after a match both players are in the lobby and can play again`() throws {
    let (x, o) = server.match()
    o.say("leave")
    _ = x.takeLines()
    #expect(try o.askTypes("leave") == ["notInMatch"])
    #expect(try o.askTypes("start ann") == ["didQueue"])
    let lines = try x.ask("start")
    #expect(lines.last?["players"] == ["X": "bob", "O": "ann"])
    #expect(lines.last?["seq"] == 1)
    #expect(lines.last?["score"] == ["X": 0, "O": 0, "draws": 0])
  }

  @Test func `after swapped marks the right player has left`() throws {
    let (ann, bob) = server.wonMatch()
    ann.say("start")
    bob.say("start")
    _ = bob.takeLines()
    ann.say("leave")
    let lines = try bob.hear()
    #expect(lines.first?["winner"] == "X")
    #expect(lines.last?["by"] == "O")
    #expect(lines.last?["score"] == ["X": 1, "O": 1, "draws": 0])
  }

  private func go(_ client: LineClient, _ way: Way) {
    switch way {
    case .leave: client.sendOnly("leave")
    case .quit: client.sendOnly("quit")
    }
    server.network.run()
  }

  private func expectNoMatch(_ stayed: LineClient) throws {
    #expect(server.root.children.isEmpty)
    #expect(try stayed.askTypes("place 0 0") == ["notInMatch"])
    #expect(try stayed.askTypes("cancel") == ["notWaiting"])
    server.clock.advance(by: .seconds(2))
    #expect(server.leaks == [])
  }
}
