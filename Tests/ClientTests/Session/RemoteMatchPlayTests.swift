import Shared
import TestSupport
import Testing

@testable import Client

/// A match on a server as its player sees it.
@Suite struct RemoteMatchPlayTests {
  private let lobbyPrompt =
    "You are in the lobby. To play, type: start. To see the commands, type: help\n> "
  private let betweenGamesPrompt =
    "For the next game, type: start. To leave the match, type: leave\n> "

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `the output of a game does not depend on how the bytes are split`(_ seed: UInt64) {
    let client = RemoteApp.inGame(seed: seed)
    let server = client.server
    for (index, number) in [5, 1, 4, 2].enumerated() {
      if index % 2 == 0 { client.app.type("\(number)") }
      server.move(number)
    }
    client.discardOutput()
    client.app.type("6")
    #expect(server.takeLines() == [#"{"type":"place","id":4,"row":1,"col":2}"#])
    server.move(6)
    let line = [3, 4, 5].map { Cell(row: $0 / 3, column: $0 % 3) }
    server.endGame(Outcome(winner: .x, reason: .line, line: line), score: Score(x: 1))
    let screen = client.app.terminal.takeOutput()
    #expect(screen.hasPrefix("ann puts X on 6.\n O | O | 3\n"))
    #expect(
      screen.contains("You win with 4, 5, 6.\nann: 1, bob: 0, draws: 0.\n" + betweenGamesPrompt))
  }

  @Test func `a refused move is reported and asked for again`() {
    let client = RemoteApp.inGame()
    client.app.type("1")
    client.server.answer(.error(.cellTaken, message: "…"))
    #expect(
      client.app.terminal.takeOutput() == "That cell already has a mark.\nann, put X on (1 to 9): ")
  }

  @Test func `resign and leave are sent, and the game continues until the server ends it`() {
    let client = RemoteApp.inGame()
    #expect(
      client.app.type("resign", "yes", "leave", "yes") == """
        resign
        Resign, and lose this game? (yes or no): yes
        leave
        Leave the match, and lose this game? (yes or no): yes

        """)
    #expect(
      client.server.takeLines() == [#"{"type":"resign","id":2}"#, #"{"type":"leave","id":3}"#])
    #expect(client.app.terminal.takeOutput() == "")
  }

  @Test func `the next game is requested and begins with swapped marks`() {
    let client = RemoteApp.inGame()
    client.server.endGame(Outcome(winner: .o, reason: .resigned), score: Score(o: 1))
    client.discardOutput()
    client.app.type("start")
    #expect(
      client.server.takeLines() == [#"{"type":"start","id":2,"opponent":"bob","game":"tictactoe"}"#]
    )
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    #expect(
      client.app.terminal.takeOutput()
        == "Waiting for bob to start the next game. To stop waiting, type: cancel\n")
    client.app.type("cancel")
    client.server.answer(.didCancel())
    #expect(client.app.terminal.takeOutput() == "ann: 0, bob: 1, draws: 0.\n" + betweenGamesPrompt)
    client.server.beginGame(you: .o, x: "bob", o: "ann", score: Score(x: 1))
    #expect(client.app.terminal.takeOutput().hasPrefix("\nbob plays X, ann plays O.\n"))
  }

  @Test(arguments: [
    (Outcome.Reason.left, "bob has left: you win.\n"),
    (.abandoned, "bob did not reconnect: you win.\n"),
  ])
  func `an opponent who leaves during a game is reported once`(
    _ reason: Outcome.Reason, _ sentence: String
  ) {
    let client = RemoteApp.inGame()
    client.server.endGame(Outcome(winner: .x, reason: reason), score: Score(x: 1))
    client.server.endMatch(reason == .left ? .left : .abandoned, by: .o, score: Score(x: 1))
    #expect(client.app.terminal.takeOutput() == "\n" + sentence + lobbyPrompt)
  }

  @Test func `an opponent who leaves between games is reported before the lobby`() {
    let client = RemoteApp.inGame()
    client.server.endGame(Outcome(winner: nil, reason: .full), score: Score(draws: 1))
    client.discardOutput()
    client.server.endMatch(.left, by: .o)
    #expect(client.app.terminal.takeOutput() == "\nbob has left the match.\n" + lobbyPrompt)
  }

  @Test func `a player who leaves between games sees only the lobby`() {
    let client = RemoteApp.inGame()
    client.server.endGame(Outcome(winner: nil, reason: .full), score: Score(draws: 1))
    client.discardOutput()
    client.app.type("leave")
    client.server.endMatch(.left, by: .x)
    #expect(client.app.terminal.takeOutput() == lobbyPrompt)
  }

  @Test func `a match that ends without an end of its game leads to the lobby`() {
    let client = RemoteApp.inGame()
    client.server.endMatch(.abandoned, by: .o)
    #expect(client.app.terminal.takeOutput() == "\nbob has left the match.\n" + lobbyPrompt)
    client.app.type("list")
    #expect(client.server.takeLines() == [#"{"type":"list","id":2,"what":"players"}"#])
  }

  @Test func `a server that shuts down ends a script without showing the lobby`() {
    let client = RemoteApp.inGame(isInteractive: false)
    client.server.endMatch(.shutdown)
    client.server.send(.bye(.shutdown))
    #expect(client.app.terminal.takeOutput() == "\n")
    #expect(
      client.app.exitReports == [
        ExitReport(
          code: .unavailable,
          sentence: "The server at example.org port 7777 has closed the connection: "
            + ByeCode.shutdown.message)
      ])
  }

  @Test(arguments: [(2, 2), (3, 4), (19, 19)])
  func `a game whose board differs from the plugin's is left with a sentence`(
    rows: Int, columns: Int
  ) throws {
    let client = RemoteApp.inLobby()
    let shape = try #require(BoardShape(rows: rows, columns: columns, inARow: 3))
    client.server.beginGame(
      GameInfo(id: "tictactoe", name: "Tic Tac Toe", shape: shape), match: "m")
    #expect(
      client.app.terminal.takeOutput()
        == "\nThe server began a game that cannot be played here: tictactoe.\n> ")
    #expect(client.server.takeLines() == [#"{"type":"leave","id":2}"#])
    #expect(client.app.currentRouter is OffGameRouter)
  }

  @Test func `an unplayable game that follows a running game ends it`() throws {
    let client = RemoteApp.inGame()
    let shape = try #require(BoardShape(rows: 2, columns: 2, inARow: 2))
    client.server.beginGame(GameInfo(id: "tictactoe", name: "Tic Tac Toe", shape: shape))
    #expect(client.app.currentRouter is OffGameRouter)
    #expect(client.app.terminal.takeOutput().contains("cannot be played here: tictactoe.\n"))
    #expect(client.server.takeLines() == [#"{"type":"leave","id":2}"#])
    client.server.send(client.server.snapshot())
    client.server.move(4)
    #expect(client.app.terminal.takeOutput().isEmpty)
    client.server.endMatch(.left, by: .x)
    #expect(client.app.terminal.takeOutput().contains("You are in the lobby."))
  }

  @Test func `an offer whose board differs from the plugin's is not playable`() {
    let other = GameSummary(id: "tictactoe", name: "Tic Tac Toe", rows: 4, columns: 4, inARow: 4)
    let client = RemoteApp.inLobby(offered: [other])
    #expect(
      client.app.type("start")
        == "start\nThis client cannot play any of the server's games.\n> ")
    #expect(client.server.takeLines().isEmpty)
  }

  @Test func `the start and the bot's first move can arrive in one read`() throws {
    let client = RemoteApp.inLobby()
    let server = client.server
    var board = Board(.ticTacToe)
    let change = try board.place(.x, at: Cell(row: 0, column: 0))
    let picture = GameState(
      game: "tictactoe", you: .o, players: PerMark(x: "bot", o: "ann"), board: Board(.ticTacToe),
      score: Score())
    client.fixture.deliver([
      .match(MatchEvent(match: "m", seq: 1, .gameDidStart(picture))),
      .match(MatchEvent(match: "m", seq: 2, .boardDidChange(change))),
    ])
    let screen = client.app.terminal.takeOutput()
    #expect(screen.hasPrefix("\nbot plays X, ann plays O.\n 1 | 2 | 3\n"))
    #expect(screen.contains("It is bot's turn.\nbot puts X on 1.\n(X)| 2 | 3\n"))
    #expect(screen.hasSuffix("ann, put O on (1 to 9): "))
    #expect(server.takeLines().isEmpty)
  }
}
