import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// The waiting time that is shown after a start.
@Suite struct OffGameWaitingTests {
  private let presenter = OffGamePresentableMock()
  private let lobby = GameLobbyMock()
  private let clock = ManualTimers()
  private let interactor: OffGameInteractor

  init() {
    interactor = OffGameInteractor(
      presenter: presenter, lobby: lobby, scoreStream: MutableScoreStream(), timers: clock)
    interactor.activate()
    _ = presenter.takeCalls()
  }

  @Test(arguments: [
    LobbyStatus.waiting(opponent: nil),
    .betweenGames(Outcome(winner: nil, reason: .full), hasAsked: true),
  ])
  func `the waiting time is shown every ten seconds`(_ status: LobbyStatus) {
    clock.advance(by: .seconds(3))
    lobby.currentStatus.send(status)
    _ = presenter.takeCalls()
    clock.advance(by: .seconds(9))
    #expect(presenter.takeCalls().isEmpty)
    clock.advance(by: .seconds(21))
    #expect(
      presenter.takeCalls() == [
        .waiting(.seconds(10)), .waiting(.seconds(20)), .waiting(.seconds(30)),
      ])
  }

  @Test(arguments: [
    LobbyStatus.lobby, .betweenGames(Outcome(winner: nil, reason: .full), hasAsked: false),
  ])
  func `the waiting time is not shown after the wait`(_ status: LobbyStatus) {
    lobby.currentStatus.send(.waiting(opponent: nil))
    lobby.currentStatus.send(status)
    _ = presenter.takeCalls()
    clock.advance(by: .seconds(60))
    #expect(presenter.takeCalls().isEmpty)
  }

  @Test func `a new wait starts at zero`() {
    lobby.currentStatus.send(.waiting(opponent: nil))
    clock.advance(by: .seconds(8))
    lobby.currentStatus.send(.waiting(opponent: "bob"))
    _ = presenter.takeCalls()
    clock.advance(by: .seconds(10))
    #expect(presenter.takeCalls() == [.waiting(.seconds(10))])
  }
}
