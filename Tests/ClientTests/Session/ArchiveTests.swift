import Shared
import TestSupport
import Testing

@testable import Client

/// History and leaderboard in plain lines, with the server's replies.
@Suite struct ArchiveTests {
  @Test func `history shows one's own games, and more the older ones`() {
    let client = RemoteApp.inLobby()
    client.app.type("history")
    #expect(client.server.takeLines() == [#"{"type":"history","id":2,"player":"ann"}"#])
    client.server.answer(.history(HistoryPage([.example(7), .example(5)], next: 5)))
    #expect(
      client.app.type()
        == """
        Your games, the latest first:
          m7  won against bob, Tic Tac Toe: a line, 5 moves, just now
          m5  won against bob, Tic Tac Toe: a line, 5 moves, just now
        To see a match again, type: replay ID; for older games, type: more
        >\u{20}
        """)
    client.app.type("more")
    #expect(
      client.server.takeLines() == [#"{"type":"history","id":3,"player":"ann","before":5}"#])
    client.server.answer(.history(HistoryPage([.example(3)])))
    let shown = client.app.type()
    #expect(shown.contains("  m3  won"))
    #expect(!shown.contains("m5"))
    #expect(client.app.type("more").contains("There are no older games."))
    #expect(client.app.type("help").contains("play against anyone"))
  }

  @Test func `history names a player, or everyone`() {
    let client = RemoteApp.inLobby()
    client.app.type("history eve adams")
    client.server.answer(.history(HistoryPage([])))
    #expect(
      client.app.type().hasSuffix("The games of eve adams: there are no finished games.\n> "))
    client.app.type("history everyone")
    #expect(client.server.takeLines().last == #"{"type":"history","id":3}"#)
    client.server.answer(.history(HistoryPage([.example(1)])))
    #expect(client.app.type().contains("ann won against bob"))
  }

  @Test func `leaderboard shows the players of the chosen game, or of a named one`() {
    let client = RemoteApp.inLobby()
    client.app.type("leaderboard")
    #expect(client.server.takeLines() == [#"{"type":"leaderboard","id":2,"game":"tictactoe"}"#])
    client.server.answer(
      .leaderboard(
        Leaderboard(
          game: "tictactoe",
          [
            LeaderboardItem(
              rank: 1, name: "ann", rating: 1612, isProvisional: true, won: 3, lost: 1, drawn: 2)
          ])))
    #expect(
      client.app.type().hasSuffix(
        "  1. ann 1612?: won 3, lost 1, drawn 2\n? means only a few rated games.\n> "))
    client.app.type("leaderboard gomoku")
    client.server.answer(.error(.unknownGame))
    #expect(client.app.type().contains(ErrorCode.unknownGame.message))
  }

  @Test(arguments: ["history", "leaderboard"])
  func `a server without an archive, or an older one, says so`(command: String) {
    let client = RemoteApp.inLobby()
    client.app.type(command)
    client.server.answer(.error(.unavailable))
    #expect(client.app.type().hasSuffix("\(ErrorCode.unavailable.message)\n> "))
    client.app.type(command)
    client.server.answer(.error(.unknownType))
    #expect(client.app.type().hasSuffix("\(SessionCommands.isOlder)\n> "))
  }

  @Test func `ratings stand beside the names`() {
    let client = RemoteApp.inLobby()
    client.app.type("list")
    client.server.answer(
      .players(
        PlayerList([
          PlayerSummary(name: "ann", place: .lobby, game: nil, rating: 1612),
          PlayerSummary(name: "bob", place: .playing, game: "tictactoe"),
        ])))
    #expect(client.app.type().contains("Here: ann 1612 (free), bob (playing)"))
  }

  @Test func `without a server there is neither`() {
    let client = TestApp.local()
    client.type("ann", "bob")
    for command in ["history", "leaderboard", "register", "replay m"] {
      #expect(client.type(command).contains("This works only on a server."))
    }
  }
}
