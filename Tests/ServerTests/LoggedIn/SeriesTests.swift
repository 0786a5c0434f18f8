import Shared
import TestSupport
import Testing

@testable import Server

@Suite struct SeriesTests {
  private let server = TestServer()

  @Test func `marks swap after each game, and the score follows the players`() throws {
    var (x, o) = server.match()
    for game in 1...4 {
      server.playFirstRow(x, o)
      // X always wins, so each player wins every other game.
      let won = try x.hear().last
      #expect(won?["type"] == "gameDidEnd")
      #expect(won?["score"] == ["X": .number((game + 1) / 2), "O": .number(game / 2), "draws": 0])
      #expect(try o.hear().last == won)
      #expect(try x.askTypes("start") == ["didQueue"])
      let begun = try o.ask("start")
      #expect(kinds(begun) == ["invited", "gameDidStart"])
      #expect(begun.last?["you"] == "X")
      #expect(
        begun.last?["score"] == ["X": .number(game / 2), "O": .number((game + 1) / 2), "draws": 0])
      #expect(try x.hear().last?["you"] == "O")
      (x, o) = (o, x)
    }
  }

  @Test func `a draw is counted`() throws {
    let (x, o) = server.match()
    for (turn, cell) in ["0 0", "1 1", "2 2", "0 1", "2 1", "2 0", "0 2", "1 2", "1 0"].enumerated()
    {
      (turn.isMultiple(of: 2) ? x : o).say("place \(cell)")
    }
    let end = try o.hear().last
    #expect(end?["result"] == "draw")
    #expect(end?["reason"] == "full")
    #expect(end?["winner"] == nil)
    #expect(end?["line"] == nil)
    #expect(end?["score"] == ["X": 0, "O": 0, "draws": 1])
  }

  @Test func `the end of a game has the winning line, and follows the last change`() throws {
    let (x, o) = server.match()
    server.playFirstRow(x, o)
    let lines = try x.hear()
    let change = try #require(lines.dropLast().last)
    #expect(change["type"] == "boardDidChange")
    #expect(change["turn"] == nil)
    #expect(lines.last?["result"] == "win")
    #expect(lines.last?["winner"] == "X")
    #expect(lines.last?["reason"] == "line")
    #expect(lines.last?["line"] == [[0, 0], [0, 1], [0, 2]])
  }

  @Test func `a request for a rematch queues its sender and invites the other player`() throws {
    let (x, o) = server.wonMatch()
    #expect(try o.ask("start") == [["type": "didQueue", "game": "tictactoe"]])
    #expect(try x.hear() == [["type": "invited", "from": "bob", "game": "tictactoe"]])
    #expect(try o.ask("cancel") == [["type": "didCancel"]])
    #expect(try x.hear() == [["type": "invitationDidEnd", "from": "bob", "game": "tictactoe"]])
    #expect(try x.askTypes("start bob") == ["didQueue"])
    #expect(try o.askTypes("start ann tictactoe") == ["invited", "gameDidStart"])
  }

  @Test(arguments: [
    ("start zed", "opponent"), ("start bot", "opponent"), ("start cid", "opponent"),
    ("start bob four", "game"), (#"start "" four"#, "game"),
  ])
  func `another opponent or game is refused with its field`(line: String, field: String) throws {
    let server = TestServer(games: [.ticTacToe, .other])
    let cid = server.client(as: "cid")
    let (x, o) = server.wonMatch()
    let lines = try x.ask(line)
    #expect(kinds(lines) == ["inMatch"])
    #expect(lines.first?["field"]?.text == field)
    #expect(try o.hear() + cid.hear() == [])
    #expect(try x.askTypes("cancel") == ["notWaiting"])
  }

  @Test func `the bot always plays the next game, also as X`() throws {
    let ann = server.client(as: "ann")
    ann.say("start bot")
    #expect(try ann.askTypes("resign") == ["gameDidEnd"])
    let second = try ann.ask("start BOT")
    // As X the bot moves at once.
    #expect(kinds(second) == ["gameDidStart", "boardDidChange"])
    #expect(second.first?["players"] == ["X": "bot", "O": "ann"])
    #expect(second.first?["you"] == "O")
    #expect(second.first?["score"] == ["X": 1, "O": 0, "draws": 0])
    #expect(second.last?["turn"] == "O")
    ann.say("resign")
    let third = try ann.ask("start")
    #expect(kinds(third) == ["gameDidStart"])
    #expect(third.first?["you"] == "X")
    #expect(third.first?["score"] == ["X": 0, "O": 2, "draws": 0])
  }

  @Test func `a game against the bot is played to its end`() throws {
    let ann = server.client(as: "ann")
    for game in 0..<6 {
      var lines = try ann.ask("start\(game == 0 ? " bot" : "")")
      var board = try Self.board(lines)
      for _ in 0..<5 where kinds(lines).last != "gameDidEnd" {
        let cell = try #require(board.freeCells.last)
        lines = try ann.ask("place \(cell.row) \(cell.column)")
        try Self.apply(lines, to: &board)
      }
      #expect(lines.last?["type"] == "gameDidEnd")
    }
  }

  private static func board(_ lines: [JSON]) throws -> Board {
    var board = Board(.ticTacToe)
    try apply(lines, to: &board)
    return board
  }

  private static func apply(_ lines: [JSON], to board: inout Board) throws {
    for line in lines { try board.apply(line) }
  }
}
