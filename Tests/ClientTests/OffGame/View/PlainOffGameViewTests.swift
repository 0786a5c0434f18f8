import Shared
import Testing

@testable import Client

@Suite struct PlainOffGameViewTests {
  private let terminal = TestTerminal()
  private let view: PlainOffGameView
  private let series = Series(
    PerMark(x: .person("bob"), o: .person("ann")), score: Score(x: 2, o: 1, draws: 3))
  private let draw = Outcome(winner: nil, reason: .full)

  init() {
    view = PlainOffGameView(console: terminal.console, names: ["ann"])
  }

  @Test func `the lobby shows the player's name and the commands`() {
    view.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
    #expect(
      terminal.takeOutput() == """
        You are ann.
        To play, type: start (with anyone), start bot, start NAME, or open (a friend).\nTo see who is here, type: list
        > 
        """)
  }

  @Test func `the lobby of two players at one keyboard shows their commands`() {
    PlainOffGameView(console: terminal.console, names: ["ann", "bob"])
      .show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
    #expect(
      terminal.takeOutput() == """
        You are ann and bob.
        To play against each other, type: start. To play the computer, type: start bot
        > 
        """)
  }

  @Test func `the lobby greets once, and then takes one line`() {
    let greeting = LobbyGreeting()
    func output(_ names: [String]) -> String {
      PlainOffGameView(console: terminal.console, names: names, greeting: greeting)
        .show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe, GameLobbyMock.large])
      return terminal.takeOutput()
    }
    #expect(output(["ann"]).hasPrefix("You are ann.\nGames "))
    #expect(
      output(["ann"])
        == "\nYou are in the lobby. To play, type: start. To see the commands, type: help\n> ")
    #expect(output(["bob"]).hasPrefix("\nYou are bob.\nGames "))
    #expect(output(["bob", "eve"]).hasPrefix("\nYou are bob and eve.\nGames "))
    #expect(output(["bob", "eve"]).hasPrefix("\nTo play against each other, type: start."))
  }

  @Test func `several games are listed, and unplayable ones are marked`() {
    view.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe, GameLobbyMock.unplayable])
    #expect(
      terminal.takeOutput() == """
        You are ann.
        Games (to choose one, type: game ID):
          tictactoe  Tic Tac Toe
          chess  Chess (cannot be played with this client)
        To play, type: start (with anyone), start bot, start NAME, or open (a friend).\nTo see who is here, type: list
        > 
        """)
  }

  @Test(arguments: [
    ("start bot", ["start bot"]), ("start bot easy", ["level easy", "start bot"]),
    ("start bot large", ["choose large", "start bot"]),
    ("START bot large easy", ["choose large", "level easy", "start bot"]),
    ("start BOT Large EASY", ["choose Large", "level easy", "start bot"]),
    ("start bot easy large", ["choose large", "level easy", "start bot"]),
    ("start bot chess easy", ["choose chess"]), ("start bot go easy", ["choose go"]),
    ("start bot ross", ["start player bot ross"]), ("start bot lage", []),
    ("start bot midium", []), (#"start "bot lage""#, ["start player bot lage"]),
  ])
  func `a start with the bot takes a game and a level`(line: String, calls: [String]) {
    let listener = OffGamePresentableListenerMock()
    view.listener = listener
    view.show(.lobby, since: nil, offers: [GameLobbyMock.large, GameLobbyMock.unplayable])
    _ = view.didType(line)
    #expect(listener.calls == calls)
  }

  @Test(arguments: [
    ("start bob large", ["choose large", "start player bob"]),
    ("start Big Bob  LARGE", ["choose LARGE", "start player Big Bob"]),
    (#"start "bob large""#, ["start player bob large"]),
    (#"start "bob large" large"#, ["choose large", "start player bob large"]),
    ("start bob chess", ["choose chess"]), ("start large", ["start player large"]),
    ("start bob go", ["start player bob go"]), ("start ann large", ["start player ann large"]),
  ])
  func `a start with a player takes a game`(line: String, calls: [String]) {
    let listener = OffGamePresentableListenerMock()
    view.listener = listener
    view.show(.lobby, since: nil, offers: [GameLobbyMock.large, GameLobbyMock.unplayable])
    view.show([Invitation(from: "ann large", game: "large")])
    _ = view.didType(line)
    #expect(listener.calls == calls)
  }

  @Test(arguments: [
    ("start bot large easy", ["choose large", "level easy", "start bot"]),
    ("start bot medium", ["level medium", "start bot"]), ("open large", ["choose large", "open"]),
  ])
  func `the next line of a script waits for the reply to a start`(line: String, calls: [String]) {
    let pipe = TestTerminal(isInteractive: false)
    let root = PlainRootView(console: pipe.console)
    pipe.console.show(root)
    let view = PlainOffGameView(console: pipe.console, names: ["ann"])
    let listener = OffGamePresentableListenerMock()
    listener.didPerform = { action in
      switch action {
      case .choose, .chooseLevel: view.say("The next game is another one.")
      default: break
      }
    }
    view.listener = listener
    root.show(view)
    view.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe, GameLobbyMock.large])
    pipe.feed(Array("\(line)\n5\n".utf8))
    #expect(listener.calls == calls)
    #expect(!pipe.takeOutput().contains("No game is running now"))
  }

  @Test func `no friend is waited for with a game that is not there`() {
    let listener = OffGamePresentableListenerMock()
    view.listener = listener
    view.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
    _ = view.didType("open chess")
    #expect(listener.calls == ["choose chess"])
  }

  @Test func `leave ends a wait, or the match`() {
    let listener = OffGamePresentableListenerMock()
    view.listener = listener
    for status: LobbyStatus in [
      .waiting(opponent: nil), .betweenGames(draw, hasAsked: true), .lobby,
    ] {
      view.show(status, since: nil, offers: [GameLobbyMock.ticTacToe])
      _ = view.didType("leave")
    }
    #expect(listener.calls == ["cancel", "leave", "leave"])
  }

  @Test func `a wait shows the opponent's name and asks no question`() {
    view.show(.waiting(opponent: nil), since: nil, offers: [])
    view.show(.waiting(opponent: "bob"), since: nil, offers: [])
    view.show(waitingFor: .seconds(20))
    #expect(
      terminal.takeOutput() == """
        Waiting for an opponent. To stop waiting, type: cancel
        Waiting for bob. To stop waiting, type: cancel
        Still waiting (20 s).

        """)
  }

  @Test func `between games the score and the commands are shown`() {
    view.show(series)
    view.show(.betweenGames(draw, hasAsked: false), since: nil, offers: [])
    #expect(
      terminal.takeOutput() == """
        bob: 2, ann: 1, draws: 3.
        For the next game, type: start. To leave the match, type: leave
        > 
        """)
  }

  @Test func `a player who has requested the next game waits for the opponent`() {
    view.show(series)
    view.show(.betweenGames(draw, hasAsked: true), since: nil, offers: [])
    #expect(
      terminal.takeOutput()
        == "Waiting for bob to start the next game. To stop waiting, type: cancel\n")
  }

  @Test func `an invitation shows how to accept it`() {
    let bob = Invitation(from: "bob", game: "large")
    view.show(.lobby, since: nil, offers: [])
    _ = terminal.takeOutput()
    view.show([bob])
    #expect(
      terminal.takeOutput()
        == "\nbob invites you. To play, type: start bob; to decline: decline bob\n> ")
    view.show([])
    view.show(.waiting(opponent: "carol"), since: .zero, offers: [])
    _ = terminal.takeOutput()
    view.show([bob])
    #expect(
      terminal.takeOutput()
        == "bob invites you. To play, type: cancel, then: start bob; to decline: decline bob\n")
    view.show([])
    view.show(series)
    view.show(.betweenGames(draw, hasAsked: false), since: nil, offers: [])
    _ = terminal.takeOutput()
    view.show([bob, Invitation(from: "carol", game: "large")])
    #expect(
      terminal.takeOutput() == """

        bob wants to play the next game. To play it, type: start; to decline: decline
        carol invites you. To play, type: leave, then: start carol; to decline: decline carol
        > 
        """)
  }

  @Test func `an invitation names its game when there are several`() {
    view.show(.lobby, since: nil, offers: [GameLobbyMock.large, GameLobbyMock.unplayable])
    _ = terminal.takeOutput()
    view.show([Invitation(from: "bob", game: "large"), Invitation(from: "eve", game: "chess")])
    #expect(
      terminal.takeOutput() == """

        bob invites you to Large. To play, type: start bob; to decline: decline bob
        eve invites you to Chess, which cannot be played with this client.
        > 
        """)
  }

  @Test func `an invitation is shown once, and again when it is renewed`() {
    let (bob, eve) = (
      Invitation(from: "bob", game: "tictactoe"), Invitation(from: "eve", game: "tictactoe")
    )
    view.show([bob])
    _ = terminal.takeOutput()
    view.show([bob, eve])
    #expect(
      terminal.takeOutput()
        == "eve invites you. To play, type: start eve; to decline: decline eve\n")
    view.show([eve])
    #expect(terminal.takeOutput() == "")
    view.show([eve, bob])
    #expect(
      terminal.takeOutput()
        == "bob invites you. To play, type: start bob; to decline: decline bob\n")
  }
}
