import Shared
import Testing

@testable import Client

@Suite struct OffGameViewTests {
  private let terminal = TestTerminal()
  private let view: OffGameView
  private let series = Series(
    PerMark(x: .person("bob"), o: .person("ann")), score: Score(x: 2, o: 1, draws: 3))
  private let draw = Outcome(winner: nil, reason: .full)

  init() {
    view = OffGameView(console: terminal.console, names: ["ann"])
  }

  @Test func `the lobby says who one is and what to type`() {
    view.show(.lobby, series: nil, offers: [StartingMock.small])
    #expect(
      terminal.take() == """
        You are ann.
        To play, type: start (with anyone), start bot, or start NAME. Who is here? Type: list
        > 
        """)
  }

  @Test func `two at one keyboard are told what they can type`() {
    OffGameView(console: terminal.console, names: ["ann", "bob"])
      .show(.lobby, series: nil, offers: [StartingMock.small])
    #expect(
      terminal.take() == """
        You are ann and bob.
        To play one another, type: start. To play the computer, type: start bot
        > 
        """)
  }

  @Test func `several games are listed, one without a plugin as not playable here`() {
    view.show(.lobby, series: nil, offers: [StartingMock.small, StartingMock.strange])
    #expect(
      terminal.take() == """
        You are ann.
        Games (to choose one, type: game ID):
          tictactoe  Tic Tac Toe
          chess  Chess (cannot be played with this client)
        To play, type: start (with anyone), start bot, or start NAME. Who is here? Type: list
        > 
        """)
  }

  @Test func `who waits is told for whom, and asked nothing`() {
    view.show(.waiting(opponent: nil), series: nil, offers: [])
    view.show(.waiting(opponent: "bob"), series: nil, offers: [])
    view.show(waitingFor: .seconds(20))
    #expect(
      terminal.take() == """
        Waiting for somebody who wants to play. To stop that, type: cancel
        Waiting for bob. To stop that, type: cancel
        Still waiting (20 s).

        """)
  }

  @Test func `between games the score is shown, and what to type`() {
    view.show(.betweenGames(draw, hasAsked: false), series: series, offers: [])
    #expect(
      terminal.take() == """
        bob: 2, ann: 1, draws: 3.
        For the next game, type: start. To leave the match, type: leave
        > 
        """)
  }

  @Test func `who has asked for the next game waits for the other`() {
    view.show(.betweenGames(draw, hasAsked: true), series: series, offers: [])
    #expect(
      terminal.take() == "Waiting for bob to want the next game. To stop that, type: cancel\n")
  }

  @Test func `an invitation says how to accept it`() {
    let bob = Invitation(from: "bob", game: "large")
    view.show(.lobby, series: nil, offers: [])
    _ = terminal.take()
    view.show(bob, to: nil)
    view.show(bob, to: StartingMock.large)
    view.show(bob, to: StartingMock.strange)
    #expect(
      terminal.take() == """

        bob invites you; to play, type: start bob
        bob invites you to Large; to play, type: start bob
        bob invites you to Chess, which cannot be played with this client.
        > 
        """)
    view.show(.waiting(opponent: "carol"), series: nil, offers: [])
    _ = terminal.take()
    view.show(bob, to: nil)
    #expect(terminal.take() == "bob invites you; to play, type: cancel, then: start bob\n")
    view.show(.betweenGames(draw, hasAsked: false), series: series, offers: [])
    _ = terminal.take()
    view.show(bob, to: nil)
    view.show(Invitation(from: "carol", game: "large"), to: nil)
    #expect(
      terminal.take() == """

        bob wants the next game; to play it, type: start
        carol invites you; to play, type: leave, then: start carol
        > 
        """)
  }
}

/// How OffGame understands what is typed.
@Suite struct OffGameTypingTests {
  private let terminal = TestTerminal()
  private let view: OffGameView
  private let listener = OffGamePresentableListenerMock()

  init() {
    view = OffGameView(console: terminal.console, names: ["ann"])
    view.listener = listener
  }

  @Test(arguments: [
    ("start", "start anyone"), ("  start  ", "start anyone"), ("start bot", "start bot"),
    ("start bob", "start player bob"), ("start  Player 2 ", "start player Player 2"),
    (#"start "Player 2""#, "start player Player 2"), (#"start """#, "start anyone"),
    ("start\tbot", "start bot"), ("game large", "choose large"), ("cancel", "cancel"),
    ("leave", "leave"), ("list", "list"),
  ])
  func `a command reaches the interactor`(_ line: String, _ call: String) {
    #expect(view.didType(line))
    #expect(listener.calls == [call])
    #expect(terminal.take() == "")
  }

  @Test(arguments: ["help", "1", "resign", "list players", "Start", "game"])
  func `anything else gets the help and is asked again`(_ line: String) {
    #expect(view.didType(line))
    #expect(listener.calls.isEmpty)
    #expect(terminal.take() == OffGameView.help + "\n> ")
  }

  @Test func `an empty line is only asked again`() {
    #expect(view.didType(" "))
    #expect(listener.calls.isEmpty)
    #expect(terminal.take() == "> ")
  }
}

private final class OffGamePresentableListenerMock: OffGamePresentableListener {
  private(set) var calls: [String] = []

  func choose(gameID: String) { calls.append("choose \(gameID)") }

  func start(against opponent: Opponent) {
    switch opponent {
    case .anyone: calls.append("start anyone")
    case .bot: calls.append("start bot")
    case .player(let name): calls.append("start player \(name)")
    }
  }

  func cancel() { calls.append("cancel") }
  func leave() { calls.append("leave") }
  func list() { calls.append("list") }
}
