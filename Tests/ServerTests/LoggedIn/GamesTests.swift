import Shared
import TestSupport
import Testing

@testable import Server

/// The games whose rules open only some cells, and the bot's level, over the wire.
@Suite struct GamesTests {
  private let server = TestServer(
    games: GameInfo.all.map { Game($0, makeBuilder: TicTacToeBuilder.init) })

  @Test func `connect sends its open cells with the beginning, each change and a snapshot`() throws
  {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    _ = try ann.ask(#"start "" connect"#)
    let lowest: JSON = [[5, 0], [5, 1], [5, 2], [5, 3], [5, 4], [5, 5], [5, 6]]
    #expect(try bob.ask(#"start "" connect"#).last?["open"] == lowest)
    let change = try ann.ask("place 5 3").last
    #expect(change?["type"] == "boardDidChange")
    #expect(change?["open"] == [[4, 3], [5, 0], [5, 1], [5, 2], [5, 4], [5, 5], [5, 6]])
    #expect(try bob.ask("sync").last?["open"] == change?["open"])
  }

  @Test func `a place on a free cell that is not open is refused`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    _ = try ann.ask(#"start "" connect"#)
    _ = try bob.ask(#"start "" connect"#)
    _ = try ann.hear()
    #expect(try ann.ask("place 0 0").last?["code"] == "notOpen")
    #expect(try ann.ask("place 6 0").last?["code"] == "outOfBoard")
    _ = try ann.ask("place 5 0")
    _ = try bob.hear()
    #expect(try bob.ask("place 5 0").last?["code"] == "cellTaken")
  }

  @Test func `the other games send no open cells`() throws {
    for game in ["tictactoe", "four", "gomoku", "misere"] {
      let ann = server.client(as: "ann \(game)")
      #expect(try ann.ask("start bot \(game)").last?["open"] == nil)
      #expect(try ann.ask("place 0 0").last?["open"] == nil)
    }
  }

  @Test func `missed events of connect carry their open cells again`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    _ = try ann.ask(#"start "" connect"#)
    _ = try bob.ask(#"start "" connect"#)
    _ = try ann.hear()
    var seen = try ann.ask("place 5 3")
    _ = try bob.ask("place 4 3")
    seen += try ann.hear()
    #expect(seen.count == 2)
    #expect(try ann.ask("sync 1") == seen)
  }

  @Test func `in misère the player who completes a line loses`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    _ = try ann.ask(#"start "" misere"#)
    _ = try bob.ask(#"start "" misere"#)
    for (player, cell) in [(ann, "0 0"), (bob, "1 0"), (ann, "0 1"), (bob, "1 1"), (ann, "0 2")] {
      _ = try player.ask("place \(cell)")
    }
    let end = try bob.hear().last
    #expect(end?["type"] == "gameDidEnd")
    #expect(end?["winner"] == "O")
    #expect(end?["reason"] == "line")
    #expect(end?["line"] == [[0, 0], [0, 1], [0, 2]])
  }

  @Test func `a game against the bot has its level, which is hard by default`() throws {
    let (ann, bob) = (server.client(as: "ann"), server.client(as: "bob"))
    #expect(try ann.ask("start bot").last?["level"] == "hard")
    #expect(try bob.ask("start bot tictactoe easy").last?["level"] == "easy")
    #expect(try bob.ask("sync").last?["level"] == "easy")
  }

  @Test func `a game between people has no level`() throws {
    let (ann, _) = server.match()
    #expect(try ann.ask("sync").last?["level"] == nil)
  }

  @Test func `a level without the opponent bot is refused`() throws {
    let ann = server.client(as: "ann")
    for line in [#"start "" "" easy"#, "start zed tictactoe easy", "start bot tictactoe best"] {
      let error = try ann.ask(line).last
      #expect(error?["code"] == "badField")
      #expect(error?["field"] == "level")
    }
  }

  @Test func `between games the level stays until a start names another`() throws {
    let ann = server.client(as: "ann")
    ann.say("start bot tictactoe easy")
    ann.say("resign")
    _ = try ann.hear()
    #expect(try ann.ask("start").first { $0["type"] == "gameDidStart" }?["level"] == "easy")
    ann.say("resign")
    _ = try ann.hear()
    #expect(try ann.ask(#"start "" "" medium"#).last?["code"] == "badField")
    let next = try ann.ask(#"start bot "" medium"#)
    #expect(next.first { $0["type"] == "gameDidStart" }?["level"] == "medium")
  }
}
