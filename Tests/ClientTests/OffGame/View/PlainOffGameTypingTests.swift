import Shared
import Testing

@testable import Client

/// Commands that are typed in the lobby in plain lines.
@Suite struct PlainOffGameTypingTests {
  private let terminal = TestTerminal()
  private let view: PlainOffGameView
  private let listener = OffGamePresentableListenerMock()

  init() {
    view = PlainOffGameView(console: terminal.console, names: ["ann"])
    view.listener = listener
  }

  @Test(arguments: [
    ("start", "start anyone"), ("  start  ", "start anyone"), ("start bot", "start bot"),
    ("start bob", "start player bob"), ("start  Player 2 ", "start player Player 2"),
    (#"start "Player 2""#, "start player Player 2"), (#"start """#, "start anyone"),
    ("start\tbot", "start bot"), ("game large", "choose large"), ("cancel", "cancel"),
    ("leave", "leave"), ("list", "list"), ("list players", "list"),
    ("matches", "matches"), ("list matches", "matches"), ("watch 7q2k", "watch 7q2k"),
    ("LIST", "list"), ("Start Bob", "start player Bob"), ("sTART BOT", "start bot"),
    ("LIST Matches", "matches"), ("history Everyone", "history everyone"),
  ])
  func `a typed command reaches the interactor`(_ line: String, _ call: String) {
    #expect(view.didType(line))
    #expect(listener.calls == [call])
    #expect(terminal.takeOutput() == "")
  }

  @Test(arguments: ["help", "?", "HELP"])
  func `help is shown and the question asked again`(_ line: String) {
    #expect(view.didType(line))
    #expect(listener.calls.isEmpty)
    let help = PlainOffGameView.help(isLocal: false, isChoice: false)
    #expect(terminal.takeOutput() == help + "\n> ")
  }

  @Test func `without a server, help lists what works without one`() {
    let local = PlainOffGameView(console: terminal.console, names: ["ann", "bob"])
    #expect(local.didType("help"))
    let help = terminal.takeOutput()
    #expect(help.contains("start bot GAME LEVEL") && help.contains("leave the match"))
    for word in ["open", "list", "history", "register", "say", "watch"] {
      #expect(!help.contains("\n\(word) "))
    }
  }

  @Test(arguments: ["begin", "leave now", "Mute it", "list of players"])
  func `an unknown command is refused with a sentence`(_ line: String) {
    #expect(view.didType(line))
    #expect(listener.calls.isEmpty)
    #expect(
      terminal.takeOutput() == "“\(line)” is not a command. To see the commands, type: help\n> ")
  }

  @Test(arguments: ["5", "place 5", "PLACE 1 1", "resign", "h8", "8 8", "board"])
  func `a move without a game is refused with a sentence`(_ line: String) {
    #expect(view.didType(line))
    #expect(listener.calls.isEmpty)
    #expect(terminal.takeOutput() == "No game is running now. To play, type: start\n> ")
  }

  @Test func `the game and level of the command line are shown`() {
    view.show(.ticTacToe, .easy)
    #expect(
      terminal.takeOutput()
        == "The next game is Tic Tac Toe.\nThe bot plays at level easy.\n> ")
  }

  @Test(arguments: ["game", "GAMES", "list games"]) func `the games are listed`(_ line: String) {
    view.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe, GameLobbyMock.large])
    _ = terminal.takeOutput()
    #expect(view.didType(line))
    #expect(listener.calls.isEmpty)
    #expect(
      terminal.takeOutput()
        == "\nGames (to choose one, type: game ID):\n  tictactoe  Tic Tac Toe\n  large  Large\n> ")
  }

  @Test(arguments: [("strat", "start"), ("Lisst", "list"), ("hstory bob", "history")])
  func `an unknown word is guessed at`(_ line: String, _ guess: String) {
    #expect(view.didType(line))
    #expect(
      terminal.takeOutput() == "“\(line)” is not a command. Did you mean \(guess)?"
        + " To see the commands, type: help\n> ")
  }

  @Test func `an empty line repeats the question`() {
    #expect(view.didType(" "))
    #expect(listener.calls.isEmpty)
    #expect(terminal.takeOutput() == "> ")
  }
}
