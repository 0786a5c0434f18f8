import Shared
import TestSupport
import Testing

@testable import Server

/// A second game is one registration: no RIB of the server names a game.
@Suite struct SecondGameTests {
  private let server = TestServer(games: [.other])

  @Test func `four in a row on four by four is played to the end`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    ann.say(#"start "" four"#)
    let begun = try #require(try bob.ask(#"start "" four"#).last)
    #expect(begun["game"] == "four")
    #expect([begun["rows"], begun["cols"], begun["inARow"]] == [4, 4, 4])
    #expect(begun["board"] == ["....", "....", "....", "...."])
    for column in 0...2 {
      #expect(try ann.askTypes("place \(column) \(3 - column)").last == "boardDidChange")
      #expect(try bob.askTypes("place \(column) 0").last == "boardDidChange")
    }
    // Three in a row are not enough, and a fourth column is on the board.
    #expect(try ann.askTypes("place 4 0").last == "outOfBoard")
    let end = try ann.ask("place 3 0")
    #expect(kinds(end) == ["boardDidChange", "gameDidEnd"])
    #expect(end.first?["hash"] != nil)
    #expect(end.last?["line"] == [[0, 3], [1, 2], [2, 1], [3, 0]])
    #expect(try bob.hear().last == end.last)
    ann.say("start")
    #expect(try bob.askTypes("start bob four").last == "inMatch")
    #expect(try bob.ask("start ann four").last?["players"] == ["X": "bob", "O": "ann"])
    #expect(try bob.askTypes("leave") == ["gameDidEnd", "matchDidEnd"])
  }

  @Test func `the bot also plays it, and every cell can be filled`() throws {
    let ann = server.client(as: "ann")
    var lines = try ann.ask("start bot four easy")
    let shape = try #require(BoardShape(rows: 4, columns: 4, inARow: 4))
    var board = Board(shape)
    for _ in 0..<8 where kinds(lines).last != "gameDidEnd" {
      let cell = try #require(board.freeCells.last)
      lines = try ann.ask("place \(cell.row) \(cell.column)")
      server.botThinker.answer()
      lines += try ann.hear()
      for line in lines { try board.apply(line) }
    }
    #expect(lines.last?["type"] == "gameDidEnd")
  }

  @Test func `a game that is not registered is unknown, even the default one`() throws {
    let ann = server.client(as: "ann")
    let lines = try ann.ask("start")
    #expect(kinds(lines) == ["unknownGame"])
    #expect(try ann.askTypes("start bot tictactoe") == ["unknownGame"])
  }
}
