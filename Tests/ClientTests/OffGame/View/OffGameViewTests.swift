import Shared
import TestSupport
import Testing

@testable import Client

/// How the lobby's full-screen view carries out actions.
@Suite struct OffGameViewTests {
  private let timers = ManualTimers()
  private let listener = OffGamePresentableListenerMock()
  private let view: OffGameView

  init() {
    view = OffGameView(screen: Screen(timers: timers), names: ["ann"], lastGame: nil)
    view.listener = listener
    view.show(nil as Series?)
    view.show(.lobby, since: nil, offers: [GameLobbyMock.ticTacToe])
  }

  @Test func `pressing Enter twice sends one request, and another after a refusal`() {
    _ = view.press(.down)
    #expect(view.press(.enter) == .used)
    #expect(view.press(.enter) == .used)
    #expect(listener.calls == ["start anyone"])
    view.say("There is no such player.")
    #expect(view.press(.character(" ")) == .used)
    #expect(listener.calls == ["start anyone", "start anyone"])
  }

  @Test func `a request from the command line is shown, and is not sent again`() {
    view.showRequest(.start(against: .player("bob")))
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    #expect(frame.position(of: "Asking for a game with bob") != nil)
    _ = view.press(.enter)
    #expect(listener.calls.isEmpty)
  }

  @Test func `accepting an invitation while waiting cancels the wait first`() {
    view.show(.waiting(opponent: nil), since: .zero, offers: [])
    view.show([Invitation(from: "bob", game: "tictactoe")])
    for key in [Key.down, .down, .enter, .enter] { _ = view.press(key) }
    #expect(listener.calls == ["cancel", "start player bob"])
  }

  @Test func `an invitation is shown over the form of an account, until it is over`() {
    let form = FormView(screen: Screen(timers: timers))
    form.show(LoginForm(title: "Register", fields: [LoginField(.password, label: "New password")]))
    view.show(form)
    view.show([Invitation(from: "bob", game: "tictactoe")])
    let notice = "bob invites you to Tic Tac Toe."
    func isShown() -> Bool {
      var frame = Frame(size: .usual)
      view.draw(into: &frame)
      return frame.position(of: notice) != nil
    }
    #expect(isShown())
    #expect(view.spoken.contains { $0.hasPrefix(notice) })
    timers.advance(by: Notices.showTime)
    #expect(!isShown())
  }

  @Test func `an invitation is shown at once and rings the bell once`() throws {
    var output: [UInt8] = []
    let screen = Screen(size: .usual, timers: timers, write: { output += $0 })
    let root = RootView(screen: screen)
    screen.show(root)
    let view = OffGameView(screen: screen, names: ["ann"], lastGame: nil)
    root.show(view)
    screen.redraw(size: .usual)
    let bob = Invitation(from: "bob", game: "tictactoe")
    view.show([bob])
    timers.advance(by: .zero)
    var terminal = ScreenEmulator(.usual)
    try terminal.receive(output)
    #expect(terminal.bells == 1)
    #expect(terminal.lines[2].contains("bob invites you: a accepts, d declines"))
    view.show([bob])
    view.show([])
    timers.advance(by: Screen.minInterval)
    output.removeAll()
    view.show([bob, Invitation(from: "eve", game: "tictactoe")])
    timers.advance(by: Screen.minInterval)
    try terminal.receive(output)
    #expect(terminal.bells == 2)
    #expect(terminal.lines[2].contains("bob invites you, and 1 more: a accepts, d declines"))
  }

  @Test func `instructions to type a command are left out`() {
    view.say("There is no such player. To see who is here, type: list")
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    #expect(frame.position(of: "There is no such player.") != nil)
    #expect(frame.position(of: "type") == nil)
  }

  @Test func `the time of a wait is updated`() {
    view.show(.waiting(opponent: nil), since: .zero, offers: [])
    timers.advance(by: .seconds(61))
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    #expect(frame.position(of: "Waiting for anyone … 1:01") != nil)
  }

  @Test func `the q key quits in the lobby and leaves a match`() {
    #expect(view.press(.character("q")) == .quit)
    let draw = Outcome(winner: nil, reason: .full)
    view.show(.betweenGames(draw, hasAsked: false), since: nil, offers: [])
    #expect(view.press(.character("q")) == .used)
    #expect(listener.calls == ["leave"])
    #expect(view.press(.character("?")) == .unused)
  }

  @Test func `local play shows no lists`() {
    #expect(view.showsLists)
    let local = OffGameView(screen: Screen(), names: ["Ann", "Bob"], lastGame: nil)
    #expect(!local.showsLists)
  }
}
