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

  @Test func `they are asked for at once and again and again, and shown where they change`() {
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

  @Test func `they are not asked for again before the answer has come`() {
    let interactor = interactor(presenter)
    clock.advance(by: .seconds(60))
    #expect(lobby.asked.count == 1)
    lobby.answer("ann")
    #expect(lobby.asked.isEmpty)
    clock.advance(by: LobbyListWorker.interval)
    #expect(lobby.asked.count == 1)
    #expect(interactor.isActive)
  }

  @Test func `a refusal shows nothing, and they are asked for again`() {
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
  func `it stops when OffGame goes, and a late answer reaches nobody`(isAnswered: Bool) {
    let interactor = interactor(presenter)
    if isAnswered { lobby.answer("ann") }
    _ = presenter.take()
    interactor.deactivate()
    #expect(clock.next == nil)
    if !isAnswered { lobby.answer("ann") }
    #expect(presenter.take().isEmpty)
    #expect(lobby.asked.isEmpty)
  }

  @Test func `what there is to watch is asked for with them, and shown where it changes`() {
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

  @Test func `a view without use for them has nobody asked`() {
    let interactor = interactor(OffGamePresentableMock())
    clock.advance(by: .seconds(60))
    #expect(lobby.asked.isEmpty)
    #expect(clock.next == nil)
    #expect(interactor.isActive)
  }
}
