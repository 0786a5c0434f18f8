import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// Requests of a workflow for a game.
@Suite struct OffGameRequestTests {
  private let presenter = OffGamePresentableMock()
  private let listener = OffGameListenerMock()
  private let lobby = GameLobbyMock()
  private let interactor: OffGameInteractor

  init() {
    interactor = OffGameInteractor(
      presenter: presenter, lobby: lobby, scoreStream: MutableScoreStream(),
      timers: ManualTimers())
    interactor.listener = listener
    interactor.activate()
    _ = presenter.takeCalls()
  }

  private func failures(_ opponent: Opponent) -> [StartFailure?] {
    var failures: [StartFailure?] = []
    _ = interactor.request(.start(against: opponent)).subscribe { result in
      switch result {
      case .success: failures.append(nil)
      case .failure(let error): failures.append(error as? StartFailure)
      }
    }
    return failures
  }

  @Test func `a request is shown, passed to the lobby, and succeeds`() {
    #expect(failures(.player("bob")) == [nil])
    #expect(presenter.takeCalls() == [.request(.start(against: .player("bob")))])
    #expect(lobby.calls == [.start("tictactoe", .player("bob"))])
    #expect(listener.requestCount == 1)
  }

  @Test func `a request without a playable game fails with a sentence`() {
    lobby.offers = [GameLobbyMock.unplayable]
    #expect(failures(.bot) == [.refused])
    #expect(presenter.takeCalls() == [.say("This client cannot play any of the server's games.")])
  }

  @Test func `a request for an invitation to an unplayable game fails with a sentence`() {
    lobby.offers = [GameLobbyMock.ticTacToe, GameLobbyMock.unplayable]
    lobby.currentInvitations.send([Invitation(from: "eve", game: "chess")])
    _ = presenter.takeCalls()
    #expect(failures(.player("eve")) == [.refused])
    #expect(presenter.takeCalls() == [.say("Chess cannot be played with this client.")])
    #expect(lobby.calls.isEmpty && listener.requestCount == 0)
  }
}
