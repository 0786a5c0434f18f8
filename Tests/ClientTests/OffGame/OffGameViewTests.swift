import Shared
import TestSupport
import Testing

@testable import Client

/// The lobby's view on the full screen: what becomes of a wish.
@Suite struct OffGameViewTests {
  private let timers = ManualTimers()
  private let listener = OffGamePresentableListenerMock()
  private let view: OffGameView

  init() {
    view = OffGameView(screen: Screen(timers: timers), names: ["ann"], lastGame: nil)
    view.listener = listener
    view.show(nil as Series?)
    view.show(.lobby, since: nil, offers: [StartingMock.small])
  }

  @Test func `Enter twice asks once, and once more after a refusal`() {
    #expect(view.press(.enter) == .used)
    #expect(view.press(.enter) == .used)
    #expect(listener.calls == ["start anyone"])
    view.say("There is no such player.")
    #expect(view.press(.character(" ")) == .used)
    #expect(listener.calls == ["start anyone", "start anyone"])
  }

  @Test func `a request that began elsewhere is shown, and is not asked again`() {
    view.showRequest(against: .player("bob"))
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    #expect(frame.position(of: "Asking for a game with bob") != nil)
    _ = view.press(.enter)
    #expect(listener.calls.isEmpty)
  }

  @Test func `an invitation that is accepted while waiting ends the wait first`() {
    view.show(.waiting(opponent: nil), since: .zero, offers: [])
    view.show([Invitation(from: "bob", game: "tictactoe")])
    for key in [Key.down, .down, .enter, .enter] { _ = view.press(key) }
    #expect(listener.calls == ["cancel", "start player bob"])
  }

  @Test func `the clock of a wait goes on`() {
    view.show(.waiting(opponent: nil), since: .zero, offers: [])
    timers.advance(by: .seconds(61))
    var frame = Frame(size: .usual)
    view.draw(into: &frame)
    #expect(frame.position(of: "Waiting for anyone … 1:01") != nil)
  }

  @Test func `q ends the program in the lobby, and leaves a match`() {
    #expect(view.press(.character("q")) == .quit)
    let draw = Outcome(winner: nil, reason: .full)
    view.show(.betweenGames(draw, hasAsked: false), since: nil, offers: [])
    #expect(view.press(.character("q")) == .used)
    #expect(listener.calls == ["leave"])
    #expect(view.press(.character("?")) == .unused)
  }

  @Test func `people at one keyboard have no use for a list of players`() {
    #expect(view.showsPlayers)
    let local = OffGameView(screen: Screen(), names: ["Ann", "Bob"], lastGame: nil)
    #expect(!local.showsPlayers)
  }
}
