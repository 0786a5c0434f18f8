import Shared
import TestSupport
import Testing

@testable import Client

@Suite struct OffGameInteractorTests {
  private let presenter = OffGamePresentableMock()
  private let listener = OffGameListenerMock()
  private let starting = StartingMock()
  private let score = MutableScoreStream()
  private let clock = ManualTimers()
  private let interactor: OffGameInteractor

  init() {
    interactor = OffGameInteractor(
      presenter: presenter, starting: starting, scoreStream: score, timers: clock)
    interactor.listener = listener
  }

  @Test func `it shows where the person stands, first of all and at each change`() {
    let series = Series(PerMark(x: .person("ann"), o: .person("bob")), score: Score(x: 1))
    score.update(with: series)
    interactor.activate()
    #expect(presenter.take() == [.status(.lobby, series)])
    starting.current.send(.waiting(opponent: "bob"))
    score.update(with: nil)
    #expect(presenter.take() == [.status(.waiting(opponent: "bob"), series)])
    starting.current.send(.lobby)
    #expect(presenter.take() == [.status(.lobby, nil)])
  }

  @Test func `wishes go to the root`() {
    interactor.activate()
    interactor.start(against: .anyone)
    interactor.start(against: .bot)
    interactor.start(against: .player("bob"))
    interactor.cancel()
    interactor.leave()
    interactor.list()
    #expect(
      listener.calls == [
        .start("tictactoe", .anyone), .start("tictactoe", .bot),
        .start("tictactoe", .player("bob")), .cancel, .leave, .list,
      ])
  }

  @Test func `a notice is said`() {
    interactor.activate()
    starting.said.send("bob has gone.")
    #expect(presenter.take().last == .say("bob has gone."))
  }

  @Test func `once it is inactive it shows nothing any more`() {
    interactor.activate()
    starting.current.send(.waiting(opponent: nil))
    interactor.deactivate()
    _ = presenter.take()
    starting.current.send(.lobby)
    starting.standing.send([Invitation(from: "bob", game: "tictactoe")])
    starting.said.send("bob has gone.")
    clock.advance(by: .seconds(60))
    #expect(presenter.take().isEmpty)
  }
}

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
