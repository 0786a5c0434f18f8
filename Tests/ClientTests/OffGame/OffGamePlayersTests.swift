import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// The lists of players and matches, for a view that shows them permanently.
@Suite struct OffGamePlayersTests {
  private let presenter = OffGamePresentableMock(showsLists: true)
  private let lobby = GameLobbyMock()
  private let clock = ManualTimers()

  private func interactor(_ presenter: OffGamePresentableMock) -> OffGameInteractor {
    let interactor = OffGameInteractor(
      presenter: presenter, lobby: lobby, scoreStream: MutableScoreStream(), timers: clock)
    interactor.activate()
    _ = presenter.takeCalls()
    return interactor
  }

  @Test func `the list of players is requested repeatedly, and shown when it changes`() {
    let interactor = interactor(presenter)
    lobby.answerPlayers("ann")
    #expect(presenter.takeCalls() == [.players(["ann"]), .matches([])])
    clock.advance(by: LobbyListWorker.interval)
    lobby.answerPlayers("ann")
    #expect(presenter.takeCalls().isEmpty)
    clock.advance(by: LobbyListWorker.interval)
    lobby.answerPlayers("ann", "bob")
    #expect(presenter.takeCalls() == [.players(["ann", "bob"])])
    #expect(interactor.isActive)
  }

  @Test func `an invitation makes the lists new at once, and once more after a pending answer`() {
    let interactor = interactor(presenter)
    lobby.currentInvitations.send([Invitation(from: "bob", game: "tictactoe")])
    #expect(lobby.pendingPlayerLists.count == 1)
    lobby.answerPlayers("ann")
    #expect(lobby.pendingPlayerLists.count == 1)
    lobby.answerPlayers("ann", "bob")
    #expect(lobby.pendingPlayerLists.isEmpty)
    lobby.currentInvitations.send([])
    #expect(lobby.pendingPlayerLists.count == 1)
    lobby.answerPlayers("ann", "bob")
    clock.advance(by: LobbyListWorker.interval)
    #expect(lobby.pendingPlayerLists.count == 1)
    #expect(interactor.isActive)
  }

  @Test func `lists that the server sends unasked are shown`() {
    let interactor = interactor(presenter)
    lobby.answerPlayers("ann")
    _ = presenter.takeCalls()
    lobby.playerListSource.send(
      PlayerList([PlayerSummary(name: "eve", place: .lobby, game: nil)]))
    lobby.matchListSource.send(
      MatchList([
        MatchSummary(
          match: "m", game: "tictactoe", players: PerMark(x: "bob", o: "carol"), isRunning: true)
      ]))
    #expect(presenter.takeCalls() == [.players(["eve"]), .matches(["m"])])
    interactor.deactivate()
    lobby.playerListSource.send(PlayerList([]))
    #expect(presenter.takeCalls().isEmpty)
  }

  @Test func `a server's event without an id is an unasked list, and an answer is not`() {
    let client = RemoteApp.inLobby()
    var lists: [[String]] = []
    let subscription = client.app.gameService.lobby.playerLists.subscribe {
      lists.append($0.items.map(\.name))
    }
    client.server.send(.players(Page([PlayerSummary(name: "eve", place: .lobby, game: nil)])))
    client.app.type("list")
    client.server.answer(.players(Page([PlayerSummary(name: "ann", place: .lobby, game: nil)])))
    #expect(lists == [["eve"]])
    subscription.cancel()
  }

  @Test func `the list of players is not requested again before the answer`() {
    let interactor = interactor(presenter)
    clock.advance(by: .seconds(60))
    #expect(lobby.pendingPlayerLists.count == 1)
    lobby.answerPlayers("ann")
    #expect(lobby.pendingPlayerLists.isEmpty)
    clock.advance(by: LobbyListWorker.interval)
    #expect(lobby.pendingPlayerLists.count == 1)
    #expect(interactor.isActive)
  }

  @Test func `a refused list shows nothing and is requested again`() {
    let interactor = interactor(presenter)
    let refusal = RequestError(sentence: "Too fast.")
    lobby.matchesResult = .failure(refusal)
    lobby.pendingPlayerLists.removeFirst()(.failure(refusal))
    #expect(presenter.takeCalls().isEmpty)
    clock.advance(by: LobbyListWorker.interval)
    lobby.answerPlayers("ann")
    #expect(presenter.takeCalls() == [.players(["ann"])])
    #expect(interactor.isActive)
  }

  @Test(arguments: [false, true])
  func `requests stop when OffGame deactivates, and a late answer is ignored`(isAnswered: Bool) {
    let interactor = interactor(presenter)
    if isAnswered { lobby.answerPlayers("ann") }
    _ = presenter.takeCalls()
    interactor.deactivate()
    #expect(clock.next == nil)
    if !isAnswered { lobby.answerPlayers("ann") }
    #expect(presenter.takeCalls().isEmpty)
    #expect(lobby.pendingPlayerLists.isEmpty)
  }

  @Test func `the list of matches is requested too, and shown when it changes`() {
    let interactor = interactor(presenter)
    lobby.matchesResult = .success(
      MatchList([
        MatchSummary(
          match: "m", game: "tictactoe", players: PerMark(x: "bob", o: "eve"), isRunning: true)
      ]))
    lobby.answerPlayers("ann")
    #expect(presenter.takeCalls() == [.players(["ann"]), .matches(["m"])])
    clock.advance(by: LobbyListWorker.interval)
    lobby.answerPlayers("ann")
    #expect(presenter.takeCalls().isEmpty)
    clock.advance(by: LobbyListWorker.interval)
    lobby.matchesResult = .success(MatchList([]))
    lobby.answerPlayers("ann")
    #expect(presenter.takeCalls() == [.matches([])])
    #expect(interactor.isActive)
  }

  @Test func `no list is requested for a view that shows none`() {
    let interactor = interactor(OffGamePresentableMock())
    clock.advance(by: .seconds(60))
    #expect(lobby.pendingPlayerLists.isEmpty)
    #expect(clock.next == nil)
    #expect(interactor.isActive)
  }
}
