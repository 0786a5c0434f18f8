import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct StaleTests {
  private let server = TestServer()

  @Test func `a move counts with the number of the last change or a later one`() throws {
    let (x, o) = server.match()
    #expect(try x.askTypes("place 0 0 1") == ["boardDidChange"])
    #expect(try o.askTypes("place 1 1 2") == ["boardDidChange", "boardDidChange"])
    #expect(try x.askTypes("place 0 1 3").last == "boardDidChange")
  }

  @Test func `a stale move gets the missed events`() throws {
    let (x, o) = server.match()
    x.say("place 0 0")
    o.say("place 1 1")
    let change = try x.hear()
    let lines = try x.ask(#"{"type":"place","row":2,"col":2,"seq":1,"id":9}"#)
    #expect(kinds(lines) == ["stale", "boardDidChange", "boardDidChange"])
    #expect(lines.map { $0["re"] } == [9, nil, nil])
    #expect(lines.map { $0["seq"] } == [nil, 2, 3])
    #expect(lines.last == change.last)
    #expect(try o.hear() == [])
    #expect(try x.askTypes("place 2 2 3") == ["boardDidChange"])
  }

  @Test func `stale is checked before the turn, the board and the cell`() throws {
    let (x, o) = server.match()
    x.say("place 0 0")
    #expect(try x.askTypes("place 9 9 1").first == "stale")
    #expect(try o.askTypes("place 0 0 1").contains("stale"))
    #expect(try x.askTypes("place 9 9 2") == ["notYourTurn"])
  }

  @Test func `the board of a new game is a change, and is sent again with the right mark`() throws {
    let (ann, bob) = server.wonMatch()
    ann.say("start")
    let begun = try (bob: bob.ask("start").last, ann: ann.hear().last)
    #expect(begun.ann?["you"] == "O")
    #expect(begun.ann?["seq"] == 8)
    let missed = (bob: try bob.ask("place 0 0 7"), ann: try ann.ask("place 0 0 6"))
    #expect(kinds(missed.bob) == ["stale", "gameDidStart"])
    #expect(missed.bob.last == begun.bob)
    #expect(kinds(missed.ann) == ["stale", "gameDidEnd", "gameDidStart"])
    #expect(missed.ann.last == begun.ann)
    // The game before it is sent with its own marks.
    let all = try ann.ask("place 0 0 0")
    #expect(all.filter { $0["type"] == "gameDidStart" }.map { $0["you"] } == ["X", "O"])
    #expect(all.dropFirst().map { $0["seq"] } == (1...8).map { .number($0) })
  }

  @Test(arguments: [2, 3, 100, 9_007_199_254_740_991])
  func `a move with a future number is stale`(seq: Int) throws {
    let (x, o) = server.match()
    let lines = try x.ask("place 0 0 \(seq)")
    #expect(kinds(lines) == ["stale", "matchSnapshot"])
    let match = try #require(lines.last?["match"])
    #expect(
      lines.last == [
        "type": "matchSnapshot", "match": match, "seq": 1, "game": "tictactoe", "you": "X",
        "players": ["X": "ann", "O": "bob"], "rows": 3, "cols": 3, "inARow": 3,
        "board": ["...", "...", "..."], "turn": "X", "score": ["X": 0, "O": 0, "draws": 0],
        "online": ["X": true, "O": true], "over": false,
      ])
    #expect(try o.hear() == [])
  }

  @Test func `if the history does not reach back, a snapshot is sent`() throws {
    var (x, o) = server.match()
    for _ in 0..<12 {
      server.playFirstRow(x, o)
      x.say("start")
      o.say("start")
      (x, o) = (o, x)
    }
    x.say("place 1 1")
    _ = (x.takeLines(), o.takeLines())
    let lines = try o.ask("place 0 0 1")
    #expect(kinds(lines) == ["stale", "matchSnapshot"])
    let snapshot = try #require(lines.last)
    #expect(snapshot["seq"] == .number(12 * 7 + 2))
    #expect(snapshot["you"] == "O")
    #expect(snapshot["board"] == ["...", ".X.", "..."])
    #expect(snapshot["score"] == ["X": 6, "O": 6, "draws": 0])
    #expect(try kinds(o.ask("place 0 0 \(12 * 7)")) == ["stale", "gameDidStart", "boardDidChange"])
  }

  @Test func `a negative number is refused`() throws {
    let (x, _) = server.match()
    let lines = try x.ask("place 0 0 -1")
    #expect(kinds(lines) == ["badField"])
    #expect(lines.first?["field"] == "seq")
  }

  @Test func `between games a move is refused with noGame, not as stale`() throws {
    let (x, _) = server.wonMatch()
    #expect(try x.askTypes("place 0 0 1") == ["noGame"])
  }
}
