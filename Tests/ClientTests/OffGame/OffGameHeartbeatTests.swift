import Shared
import TestSupport
import Testing

@testable import Client

/// The sign of life of a start that waits.
@Suite struct OffGameHeartbeatTests {
  private let presenter = OffGamePresentableMock()
  private let starting = StartingMock()
  private let clock = ManualTimers()
  private let interactor: OffGameInteractor

  init() {
    interactor = OffGameInteractor(
      presenter: presenter, starting: starting, scoreStream: MutableScoreStream(), timers: clock)
    interactor.activate()
    _ = presenter.take()
  }

  @Test(arguments: [
    PlayStatus.waiting(opponent: nil),
    .betweenGames(Outcome(winner: nil, reason: .full), hasAsked: true),
  ])
  func `who waits is shown for how long`(_ status: PlayStatus) {
    clock.advance(by: .seconds(3))
    starting.current.send(status)
    _ = presenter.take()
    clock.advance(by: .seconds(9))
    #expect(presenter.take().isEmpty)
    clock.advance(by: .seconds(21))
    #expect(
      presenter.take() == [
        .waiting(.seconds(10)), .waiting(.seconds(20)), .waiting(.seconds(30)),
      ])
  }

  @Test(arguments: [
    PlayStatus.lobby, .betweenGames(Outcome(winner: nil, reason: .full), hasAsked: false),
  ])
  func `it ends with the waiting`(_ status: PlayStatus) {
    starting.current.send(.waiting(opponent: nil))
    starting.current.send(status)
    _ = presenter.take()
    clock.advance(by: .seconds(60))
    #expect(presenter.take().isEmpty)
  }

  @Test func `a new waiting counts anew`() {
    starting.current.send(.waiting(opponent: nil))
    clock.advance(by: .seconds(8))
    starting.current.send(.waiting(opponent: "bob"))
    _ = presenter.take()
    clock.advance(by: .seconds(10))
    #expect(presenter.take() == [.waiting(.seconds(10))])
  }
}
