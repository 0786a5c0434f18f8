import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

@Suite struct OffGameBuilderTests {
  private let dependency = OffGameDependencyMock()
  private let listener = OffGameListenerMock()

  private func build() -> any OffGameRouting {
    OffGameBuilder(dependency: dependency).build(
      withListener: listener, names: ["ann"], lastGame: nil)
  }

  @Test func `a command typed in the view reaches the lobby, and the root hears of it`() {
    let router = build()
    router.interactable.activate()
    (router.viewControllable as? any ConsoleView)?.answer("start bob")
    #expect(dependency.mock.calls == [.start("tictactoe", .player("bob"))])
    #expect(listener.requestCount == 1)
    #expect(dependency.terminal.takeOutput().hasPrefix("You are ann.\n"))
  }

  @Test func `a released OffGame RIB is deallocated, even while waiting for a game`() {
    weak var interactor: AnyObject?
    weak var view: AnyObject?
    do {
      let router = build()
      router.interactable.activate()
      dependency.mock.currentStatus.send(.waiting(opponent: nil))
      (interactor, view) = (router.interactable, router.viewControllable)
      #expect(interactor != nil && view != nil)
    }
    #expect(interactor == nil && view == nil)
    #expect(dependency.clock.next == nil)
  }
}

private final class OffGameDependencyMock: OffGameDependency {
  let terminal = TestTerminal()
  let clock = ManualTimers()
  let mock = GameLobbyMock()
  let score = MutableScoreStream()
  private var viewFactory: any ViewFactory { PlainViewFactory(console: terminal.console) }
  var lobby: any GameLobby { mock }
  var scoreStream: any ScoreStream { score }
  var timers: any Timers { clock }
  let accounts: (any AccountService)? = nil
  let finishedGames: (any FinishedGames)? = nil
  let isAttended = true
  let mutableGameChoice = MutableGameChoice()

  func makeOffGameView(names: [String], lastGame: LastGame?) -> any OffGameViewControllable {
    viewFactory.makeOffGameView(names: names, lastGame: lastGame)
  }
  func makeAccountView() -> any AccountViewControllable { viewFactory.makeAccountView() }
  func makeHistoryView() -> any HistoryViewControllable { viewFactory.makeHistoryView() }
  func makeLeaderboardView(names: [String]) -> any LeaderboardViewControllable {
    viewFactory.makeLeaderboardView(names: names)
  }
}
