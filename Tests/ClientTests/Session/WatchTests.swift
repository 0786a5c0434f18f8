import Shared
import TestSupport
import Testing

@testable import Client

/// Watching a match of other players.
@Suite struct WatchTests {
  private func clientRequestingMatch() -> RemoteApp {
    let client = RemoteApp.inLobby(as: "eve")
    client.app.type("watch m")
    return client
  }

  private func clientInGame() -> RemoteApp {
    let client = clientRequestingMatch()
    client.server.beginGame(match: "m", you: nil)
    client.discardOutput()
    return client
  }

  @Test func `a match is requested by its id and shown in its current state`() {
    let client = clientRequestingMatch()
    #expect(client.server.takeLines() == [#"{"type":"watch","id":2,"match":"m"}"#])
    client.server.answer(client.server.snapshot(you: nil))
    #expect(client.app.terminal.takeOutput().contains("ann plays X, bob plays O.\n"))
    #expect(client.app.terminal.takeOutput().isEmpty)
    #expect(client.app.currentRouter is any GameRouting)
  }

  @Test func `moves are shown to a spectator without a question`() {
    let client = clientInGame()
    client.server.move(5)
    let screen = client.app.terminal.takeOutput()
    #expect(screen.hasPrefix("ann puts X on 5.\n"))
    #expect(screen.hasSuffix("It is bob's turn.\n"))
  }

  @Test func `a spectator who stops watching returns to the lobby`() {
    let client = clientInGame()
    client.app.type("leave")
    #expect(client.server.takeLines() == [#"{"type":"leave","id":3}"#])
    client.server.answer(.didLeave)
    #expect(client.app.currentRouter is OffGameRouter)
    #expect(client.app.terminal.takeOutput().contains("You are in the lobby."))
  }

  @Test func `a spectator waits for the next game or leaves`() {
    let client = clientInGame()
    client.server.endGame(Outcome(winner: nil, reason: .full), score: Score(draws: 1))
    #expect(
      client.app.terminal.takeOutput().hasSuffix(
        "The next game appears when it begins. To stop watching, type: leave\n> "))
    client.server.beginGame(you: nil, x: "bob", o: "ann", score: Score(draws: 1))
    #expect(client.app.currentRouter is any GameRouting)
    client.server.endGame(Outcome(winner: nil, reason: .full), score: Score(draws: 2))
    client.app.type("leave")
    client.server.answer(.didLeave)
    #expect(client.app.terminal.takeOutput().contains("You are in the lobby."))
  }

  @Test func `a spectator returns to the lobby when a player leaves`() {
    let client = clientInGame()
    client.server.endGame(Outcome(winner: .o, reason: .left), score: Score(o: 1))
    client.server.endMatch(.left, by: .x, score: Score(o: 1))
    let screen = client.app.terminal.takeOutput()
    #expect(screen.contains("ann has left: bob wins.\n"))
    #expect(client.app.currentRouter is OffGameRouter)
  }

  @Test func `an unknown match is reported with a sentence`() {
    let client = clientRequestingMatch()
    client.server.answer(.error(.unknownMatch))
    #expect(client.app.terminal.takeOutput().contains("There is no such match"))
    #expect(client.app.currentRouter is OffGameRouter)
  }

  @Test func `the matches are listed with their ids`() {
    let client = RemoteApp.inLobby()
    client.app.type("matches")
    #expect(client.server.takeLines() == [#"{"type":"list","id":2,"what":"matches"}"#])
    client.server.answer(
      .matches(
        Page([
          MatchSummary(
            match: "7q2k", game: "tictactoe", players: PerMark(x: "bob", o: "bot"),
            isRunning: false)
        ])))
    #expect(
      client.app.terminal.takeOutput().contains(
        "Matches (to watch one, type: watch ID):\n  7q2k  bob and bot (between games)\n"))
  }

  @Test func `a match can be watched from the command line`() {
    let client = RemoteApp(name: "eve", launchAction: .watch("m"))
    client.server.greet()
    client.server.answer(.didLogin(name: "eve", token: nil))
    #expect(client.server.takeLines() == [#"{"type":"watch","id":2,"match":"m"}"#])
    client.server.beginGame(match: "m", you: nil)
    #expect(client.app.currentRouter is any GameRouting)
  }
}
