import Shared
import TestSupport
import Testing

@testable import Client

/// The client's screen and the lines that it sends to a scripted server.
@Suite struct RemoteGameServiceTests {
  private let prompt =
    "To play, type: start (with anyone), start bot, start NAME, or open (a friend)."
    + "\nTo see who is here, type: list\n> "
  private let nextPrompt =
    "You are in the lobby. To play, type: start. To see the commands, type: help\n> "

  @Test func `the form is shown after hello, and the login is sent`() {
    let client = RemoteApp()
    #expect(client.app.terminal.takeOutput() == "")
    client.server.greet()
    #expect(client.app.terminal.takeOutput() == "Your name (blank: the server picks one): ")
    client.app.type("  ann ")
    #expect(client.server.takeLines() == [#"{"type":"login","id":1,"name":"ann"}"#])
  }

  @Test(arguments: ["", "  "])
  func `a blank name lets the server choose`(_ name: String) {
    let client = RemoteApp()
    client.server.greet()
    client.app.type(name)
    #expect(client.server.takeLines() == [#"{"type":"login","id":1}"#])
    client.server.answer(.didLogin(name: "Player 1", token: nil))
    #expect(client.app.terminal.takeOutput().hasSuffix("You are Player 1.\n" + prompt))
  }

  @Test func `a refused name is reported in the server's words and asked for again`() {
    let client = RemoteApp(name: "bob")
    client.server.greet()
    #expect(client.app.terminal.takeOutput() == "")
    client.server.answer(.error(.nameTaken, message: "Bob is here already."))
    #expect(
      client.app.terminal.takeOutput()
        == "Bob is here already.\nYour name (blank: the server picks one): ")
    client.app.type("ann")
    #expect(client.server.takeLines() == [#"{"type":"login","id":2,"name":"ann"}"#])
  }

  @Test func `each typed command sends one command`() {
    let client = RemoteApp.inLobby()
    client.app.type("start", "start bot", "start bob", "list", "cancel", "leave")
    #expect(
      client.server.takeLines() == [
        #"{"type":"start","id":2,"game":"tictactoe"}"#,
        #"{"type":"start","id":3,"opponent":"bot","game":"tictactoe"}"#,
        #"{"type":"start","id":4,"opponent":"bob","game":"tictactoe"}"#,
        #"{"type":"list","id":5,"what":"players"}"#, #"{"type":"cancel","id":6}"#,
        #"{"type":"leave","id":7}"#,
      ])
  }

  @Test func `a refusal is shown, and the prompt repeated`() {
    let client = RemoteApp.inLobby()
    client.app.type("cancel")
    client.server.answer(.error(.notWaiting, message: "You do not wait."))
    #expect(client.app.terminal.takeOutput() == "You do not wait.\n> ")
  }

  @Test func `an error that answers no command is shown too`() {
    let client = RemoteApp.inLobby()
    client.server.send(.error(.internal, message: "Oh."))
    #expect(client.app.terminal.takeOutput() == "\nOh.\n> ")
  }

  @Test func `a wait can be cancelled`() {
    let client = RemoteApp.inLobby()
    client.app.type("start")
    client.server.answer(.didQueue(game: "tictactoe", opponent: nil))
    #expect(
      client.app.terminal.takeOutput()
        == "Waiting for an opponent. To stop waiting, type: cancel\n")
    client.app.type("cancel")
    client.server.answer(.didCancel())
    #expect(client.app.terminal.takeOutput() == nextPrompt)
  }

  @Test func `an opponent who leaves is named before the lobby is shown`() {
    let client = RemoteApp.inLobby()
    client.app.type("start bob")
    client.server.answer(.didQueue(game: "tictactoe", opponent: "bob"))
    client.discardOutput()
    client.server.send(.didCancel())
    #expect(client.app.terminal.takeOutput() == "bob has gone.\n" + nextPrompt)
  }

  @Test func `a list shows what each player is doing`() {
    let client = RemoteApp.inLobby()
    client.app.type("list")
    client.server.answer(
      .players(
        Page(
          [
            PlayerSummary(name: "ann", place: .lobby, game: nil),
            PlayerSummary(name: "bob", place: .waiting, game: "tictactoe"),
            PlayerSummary(name: "carol", place: .playing, game: "tictactoe"),
            PlayerSummary(name: "dan", place: .watching, game: "tictactoe"),
          ], more: 3)))
    #expect(
      client.app.terminal.takeOutput()
        == "Here: ann (free), bob (waiting for a game), carol (playing), dan (watching), and 3 more\n> "
    )
  }

  @Test func `unrequested answers and unknown events change nothing`() {
    let client = RemoteApp.inLobby()
    client.server.send(
      .pong, .games(Page([])), .matches(Page([])), .didLogin(name: "eve", token: nil),
      ScriptedServer.hello())
    client.server.send(line: #"{"type":"somethingNew","match":7,"seq":"x"}"#)
    client.server.send(line: #"{"type":"somethingNew","match":"other","seq":9}"#)
    #expect(client.app.terminal.takeOutput() == "")
    #expect(client.app.exitReports.isEmpty)
  }

  @Test func `a game without a plugin is listed, and refused when chosen`() {
    let client = RemoteApp()
    client.server.greet([ScriptedServer.ticTacToe, ScriptedServer.large])
    client.app.type("ann")
    client.server.answer(.didLogin(name: "ann", token: nil))
    #expect(
      client.app.terminal.takeOutput().contains(
        "  tictactoe  Tic Tac Toe\n  large  Large (cannot be played with this client)\n"))
    #expect(
      client.app.type("game large").hasSuffix("Large cannot be played with this client.\n> "))
  }

  @Test func `a game with an impossible board is not offered`() {
    let huge = GameSummary(id: "huge", name: "Huge", rows: 1_000, columns: 3, inARow: 3)
    let client = RemoteApp.inLobby(offered: [ScriptedServer.ticTacToe, huge])
    #expect(client.app.gameService.lobby.offers.map(\.game.id) == ["tictactoe"])
  }

  @Test func `a game without a plugin is left`() {
    let client = RemoteApp.inLobby()
    client.server.beginGame(.large, match: "m")
    #expect(client.server.takeLines() == [#"{"type":"leave","id":2}"#])
    client.server.endGame(Outcome(winner: .o, reason: .left))
    client.server.endMatch(.left, by: .x)
    #expect(
      client.app.terminal.takeOutput()
        == "\nThe server began a game that cannot be played here: large.\n> "
        + "\n" + nextPrompt)
    client.server.beginGame(match: "n")
    #expect(client.app.terminal.takeOutput().hasSuffix("ann, put X on (1 to 9): "))
  }
}
