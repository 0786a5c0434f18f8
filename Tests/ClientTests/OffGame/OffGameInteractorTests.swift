import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

@Suite struct OffGameInteractorTests {
  private let presenter = OffGamePresentableMock()
  private let listener = OffGameListenerMock()
  private let lobby = GameLobbyMock()
  private let score = MutableScoreStream()
  private let clock = ManualTimers()
  private let interactor: OffGameInteractor

  init() {
    interactor = OffGameInteractor(
      presenter: presenter, lobby: lobby, scoreStream: score, timers: clock)
    interactor.listener = listener
  }

  @Test func `the status is shown on activation and on each change`() {
    interactor.activate()
    #expect(
      presenter.takeCalls() == [.series(nil), .status(.lobby, since: nil), .invitations([])])
    clock.advance(by: .seconds(3))
    lobby.currentStatus.send(.waiting(opponent: "bob"))
    #expect(presenter.takeCalls() == [.status(.waiting(opponent: "bob"), since: .seconds(3))])
    lobby.currentStatus.send(.lobby)
    #expect(presenter.takeCalls() == [.status(.lobby, since: nil)])
  }

  @Test func `the series is shown before the status, and on each change of the score`() {
    var series = Series(PerMark(x: .person("ann"), o: .person("bob")), score: Score(x: 1))
    score.update(with: series)
    interactor.activate()
    #expect(presenter.takeCalls().prefix(2) == [.series(series), .status(.lobby, since: nil)])
    series.gameDidEnd(with: Outcome(winner: nil, reason: .full))
    score.update(with: series)
    score.update(with: nil)
    #expect(presenter.takeCalls() == [.series(series), .series(nil)])
  }

  @Test func `the pending invitations are shown on each change`() {
    let (bob, eve) = (
      Invitation(from: "bob", game: "tictactoe"), Invitation(from: "eve", game: "tictactoe")
    )
    interactor.activate()
    _ = presenter.takeCalls()
    lobby.currentInvitations.send([bob, eve])
    lobby.currentInvitations.send([eve])
    #expect(presenter.takeCalls() == [.invitations([bob, eve]), .invitations([eve])])
  }

  @Test func `the lobby gets all requests, and the root hears of those for a game`() {
    interactor.activate()
    interactor.perform(.start(.anyone))
    interactor.perform(.start(.bot))
    interactor.perform(.start(.player("bob")))
    interactor.perform(.open)
    interactor.perform(.join("code"))
    interactor.perform(.watch("m"))
    interactor.perform(.replay("n"))
    #expect(listener.requestCount == 7)
    interactor.perform(.cancel)
    interactor.perform(.leave)
    #expect(
      lobby.calls == [
        .start("tictactoe", .anyone), .start("tictactoe", .bot),
        .start("tictactoe", .player("bob")), .open("tictactoe"), .join("code"), .watch("m"),
        .replay("n"), .cancel, .leave,
      ])
    #expect(listener.requestCount == 7)
  }

  @Test func `a requested list is shown as a sentence`() {
    interactor.activate()
    _ = presenter.takeCalls()
    interactor.perform(.listPlayers)
    lobby.answerPlayers("ann", "bob")
    #expect(presenter.takeCalls() == [.say("Here: ann (free), bob (free)")])
    interactor.perform(.listMatches)
    #expect(presenter.takeCalls() == [.say("Nobody is playing now.")])
  }

  @Test func `the reason for a refused list is shown`() {
    interactor.activate()
    _ = presenter.takeCalls()
    interactor.perform(.listPlayers)
    lobby.pendingPlayerLists.removeFirst()(.failure(RequestError(sentence: "Too fast.")))
    lobby.matchesResult = .failure(RequestError(sentence: "No connection."))
    interactor.perform(.listMatches)
    #expect(presenter.takeCalls() == [.say("Too fast."), .say("No connection.")])
  }

  @Test func `a notice is shown`() {
    interactor.activate()
    lobby.noticeSource.send("bob has gone.")
    #expect(presenter.takeCalls().last == .say("bob has gone."))
  }

  @Test func `an inactive interactor shows nothing`() {
    interactor.activate()
    lobby.currentStatus.send(.waiting(opponent: nil))
    interactor.deactivate()
    _ = presenter.takeCalls()
    lobby.currentStatus.send(.lobby)
    lobby.currentInvitations.send([Invitation(from: "bob", game: "tictactoe")])
    lobby.noticeSource.send("bob has gone.")
    score.update(with: nil)
    #expect(clock.next == nil)
    #expect(presenter.takeCalls().isEmpty)
  }
}
