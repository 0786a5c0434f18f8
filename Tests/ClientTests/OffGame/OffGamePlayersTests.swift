import Shared
import TestSupport
import Testing

@testable import Client

/// Who is here, for a view that shows it all the time.
@Suite struct OffGamePlayersTests {
  private let presenter = OffGamePresentableMock(showsLists: true)
  private let lobby = GameLobbyMock()
  private let clock = ManualTimers()

  private func interactor(_ presenter: OffGamePresentableMock) -> OffGameInteractor {
    let interactor = OffGameInteractor(
      presenter: presenter, lobby: lobby, scoreStream: MutableScoreStream(), timers: clock)
    interactor.activate()
    _ = presenter.take()
    return interactor
  }

  @Test func `the list of players is requested repeatedly, and shown when it changes`() {
    let interactor = interactor(presenter)
    lobby.answer("ann")
    #expect(presenter.take() == [.players(["ann"]), .matches([])])
    clock.advance(by: LobbyListWorker.interval)
    lobby.answer("ann")
    #expect(presenter.take().isEmpty)
    clock.advance(by: LobbyListWorker.interval)
    lobby.answer("ann", "bob")
    #expect(presenter.take() == [.players(["ann", "bob"])])
    #expect(interactor.isActive)
  }

  @Test func `the list of players is not requested again before the answer`() {
    let interactor = interactor(presenter)
    clock.advance(by: .seconds(60))
    #expect(lobby.asked.count == 1)
    lobby.answer("ann")
    #expect(lobby.asked.isEmpty)
    clock.advance(by: LobbyListWorker.interval)
    #expect(lobby.asked.count == 1)
    #expect(interactor.isActive)
  }

  @Test func `a refused list shows nothing and is requested again`() {
    let interactor = interactor(presenter)
    let refusal = ListError(sentence: "Too fast.")
    lobby.matches = .failure(refusal)
    lobby.asked.removeFirst()(.failure(refusal))
    #expect(presenter.take().isEmpty)
    clock.advance(by: LobbyListWorker.interval)
    lobby.answer("ann")
    #expect(presenter.take() == [.players(["ann"])])
    #expect(interactor.isActive)
  }

  @Test(arguments: [false, true])
  func `requests stop when OffGame deactivates, and a late answer is ignored`(isAnswered: Bool) {
    let interactor = interactor(presenter)
    if isAnswered { lobby.answer("ann") }
    _ = presenter.take()
    interactor.deactivate()
    #expect(clock.next == nil)
    if !isAnswered { lobby.answer("ann") }
    #expect(presenter.take().isEmpty)
    #expect(lobby.asked.isEmpty)
  }

  @Test func `the list of matches is requested too, and shown when it changes`() {
    let interactor = interactor(presenter)
    lobby.matches = .success(
      MatchList([
        MatchSummary(
          match: "m", game: "tictactoe", players: PerMark(x: "bob", o: "eve"), isRunning: true)
      ]))
    lobby.answer("ann")
    #expect(presenter.take() == [.players(["ann"]), .matches(["m"])])
    clock.advance(by: LobbyListWorker.interval)
    lobby.answer("ann")
    #expect(presenter.take().isEmpty)
    clock.advance(by: LobbyListWorker.interval)
    lobby.matches = .success(MatchList([]))
    lobby.answer("ann")
    #expect(presenter.take() == [.matches([])])
    #expect(interactor.isActive)
  }

  @Test func `no list is requested for a view that shows none`() {
    let interactor = interactor(OffGamePresentableMock())
    clock.advance(by: .seconds(60))
    #expect(lobby.asked.isEmpty)
    #expect(clock.next == nil)
    #expect(interactor.isActive)
  }
}
