import Shared
import TestSupport
import Testing

@testable import Client

/// Who is here, for a view that shows it all the time.
@Suite struct OffGamePlayersTests {
  private let presenter = OffGamePresentableMock(showsPlayers: true)
  private let starting = StartingMock()
  private let clock = ManualTimers()

  private func interactor(_ presenter: OffGamePresentableMock) -> OffGameInteractor {
    let interactor = OffGameInteractor(
      presenter: presenter, starting: starting, scoreStream: MutableScoreStream(), timers: clock)
    interactor.activate()
    _ = presenter.take()
    return interactor
  }

  @Test func `they are asked for at once and again and again, and shown where they change`() {
    let interactor = interactor(presenter)
    starting.answer("ann")
    #expect(presenter.take() == [.players(["ann"]), .matches([])])
    clock.advance(by: PlayersWorker.interval)
    starting.answer("ann")
    #expect(presenter.take().isEmpty)
    clock.advance(by: PlayersWorker.interval)
    starting.answer("ann", "bob")
    #expect(presenter.take() == [.players(["ann", "bob"])])
    #expect(interactor.isActive)
  }

  @Test func `they are not asked for again before the answer has come`() {
    let interactor = interactor(presenter)
    clock.advance(by: .seconds(60))
    #expect(starting.asked.count == 1)
    starting.answer("ann")
    #expect(starting.asked.isEmpty)
    clock.advance(by: PlayersWorker.interval)
    #expect(starting.asked.count == 1)
    #expect(interactor.isActive)
  }

  @Test func `a refusal shows nothing, and they are asked for again`() {
    let interactor = interactor(presenter)
    starting.matches = nil
    starting.asked.removeFirst()(nil)
    #expect(presenter.take().isEmpty)
    clock.advance(by: PlayersWorker.interval)
    starting.answer("ann")
    #expect(presenter.take() == [.players(["ann"])])
    #expect(interactor.isActive)
  }

  @Test(arguments: [false, true])
  func `it stops when OffGame goes, and a late answer reaches nobody`(isAnswered: Bool) {
    let interactor = interactor(presenter)
    if isAnswered { starting.answer("ann") }
    _ = presenter.take()
    interactor.deactivate()
    #expect(clock.next == nil)
    if !isAnswered { starting.answer("ann") }
    #expect(presenter.take().isEmpty)
    #expect(starting.asked.isEmpty)
  }

  @Test func `what there is to watch is asked for with them, and shown where it changes`() {
    let interactor = interactor(presenter)
    starting.matches = MatchList([
      MatchSummary(
        match: "m", game: "tictactoe", players: PerMark(x: "bob", o: "eve"), isRunning: true)
    ])
    starting.answer("ann")
    #expect(presenter.take() == [.players(["ann"]), .matches(["m"])])
    clock.advance(by: PlayersWorker.interval)
    starting.answer("ann")
    #expect(presenter.take().isEmpty)
    clock.advance(by: PlayersWorker.interval)
    starting.matches = MatchList([])
    starting.answer("ann")
    #expect(presenter.take() == [.matches([])])
    #expect(interactor.isActive)
  }

  @Test func `a view without use for them has nobody asked`() {
    let interactor = interactor(OffGamePresentableMock())
    clock.advance(by: .seconds(60))
    #expect(starting.asked.isEmpty)
    #expect(clock.next == nil)
    #expect(interactor.isActive)
  }
}
