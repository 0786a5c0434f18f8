import RIBs
import Shared
import TestSupport
import Testing

@testable import Client

/// Which of several games a `start` requests.
@Suite struct OffGameChoiceTests {
  private let presenter = OffGamePresentableMock()
  private let listener = OffGameListenerMock()
  private let lobby = GameLobbyMock()
  private let interactor: OffGameInteractor

  init() {
    lobby.offers = [GameLobbyMock.unplayable, GameLobbyMock.ticTacToe, GameLobbyMock.large]
    interactor = OffGameInteractor(
      presenter: presenter, lobby: lobby, scoreStream: MutableScoreStream(),
      timers: ManualTimers())
    interactor.listener = listener
    interactor.activate()
    _ = presenter.takeCalls()
  }

  @Test func `start uses the chosen game, or the first playable one`() {
    interactor.perform(.start(.anyone))
    interactor.perform(.choose(gameID: "large"))
    interactor.perform(.start(.bot))
    #expect(lobby.calls == [.start("tictactoe", .anyone), .start("large", .bot)])
    #expect(presenter.takeCalls() == [.say("The next game is Large.")])
  }

  @Test(arguments: ["LARGE", "Large", "tic tac TOE"])
  func `a game is chosen by its id or name in any case`(_ words: String) {
    interactor.perform(.choose(gameID: words))
    interactor.perform(.start(.anyone))
    let id = words.lowercased() == "large" ? "large" : "tictactoe"
    #expect(lobby.calls == [.start(id, .anyone)])
  }

  @Test func `a game without a plugin is refused with a sentence`() {
    interactor.perform(.choose(gameID: "chess"))
    interactor.perform(.start(.anyone))
    #expect(presenter.takeCalls() == [.say("Chess cannot be played with this client.")])
    #expect(lobby.calls == [.start("tictactoe", .anyone)])
  }

  @Test func `a game that the server does not offer is refused with a sentence`() {
    interactor.perform(.choose(gameID: "go"))
    #expect(
      presenter.takeCalls() == [
        .say("There is no game called go. The games are: chess, tictactoe, large.")
      ])
  }

  @Test func `without a playable game nothing starts`() {
    lobby.offers = [GameLobbyMock.unplayable]
    interactor.perform(.start(.anyone))
    #expect(presenter.takeCalls() == [.say("This client cannot play any of the server's games.")])
    #expect(lobby.calls.isEmpty)
  }

  @Test func `start between games uses the game of the match`() {
    lobby.matchGame = .large
    lobby.currentStatus.send(.betweenGames(Outcome(winner: nil, reason: .full), hasAsked: false))
    interactor.perform(.start(.anyone))
    #expect(lobby.calls == [.start("large", .anyone)])
  }

  @Test func `start against an inviting player uses the game of the invitation`() {
    lobby.currentInvitations.send([
      Invitation(from: "bob", game: "large"), Invitation(from: "eve", game: "chess"),
    ])
    interactor.perform(.start(.player("bob")))
    interactor.perform(.start(.player("carol")))
    #expect(
      lobby.calls == [.start("large", .player("bob")), .start("tictactoe", .player("carol"))])
    _ = presenter.takeCalls()
    interactor.perform(.start(.player("eve")))
    #expect(presenter.takeCalls() == [.say("Chess cannot be played with this client.")])
    #expect(lobby.calls.count == 2)
  }

  @Test func `an invitation is accepted with its own game, whatever is chosen`() {
    lobby.currentInvitations.send([Invitation(from: "bob", game: "large")])
    interactor.perform(.choose(gameID: "tictactoe"))
    interactor.perform(.start(.player("bob")))
    interactor.perform(.start(.player("carol")))
    #expect(
      lobby.calls == [.start("large", .player("bob")), .start("tictactoe", .player("carol"))])
  }

  @Test func `a chosen level goes with the start against the bot`() {
    interactor.perform(.chooseLevel(.easy))
    #expect(presenter.takeCalls() == [.say("The bot plays at level easy.")])
    interactor.perform(.start(.bot))
    #expect(lobby.levels == [.easy])
  }

  @Test func `a launch action names its game and its level`() {
    _ = interactor.request(.start(against: .bot, game: "large", level: .medium))
    #expect(lobby.calls == [.start("large", .bot)])
    #expect(lobby.levels == [.medium])
    _ = interactor.request(.start(against: .bot, game: "go"))
    #expect(lobby.calls.count == 1)
  }

  /// An interactor of a program that was started with a choice, and its calls so far.
  private func interactor(_ choice: GameChoice) -> OffGameInteractor {
    interactor.deactivate()
    _ = presenter.takeCalls()
    let interactor = OffGameInteractor(
      presenter: presenter, lobby: lobby, scoreStream: MutableScoreStream(),
      timers: ManualTimers(), choice: MutableGameChoice(choice))
    interactor.listener = listener
    interactor.activate()
    return interactor
  }

  @Test func `the choice of the command line is shown, and used for the next start`() {
    let interactor = interactor(GameChoice(game: "large", level: .easy))
    #expect(presenter.takeCalls().contains(.choice("large", .easy)))
    interactor.perform(.start(.bot))
    interactor.perform(.choose(gameID: "tictactoe"))
    interactor.perform(.chooseLevel(.medium))
    interactor.perform(.start(.bot))
    #expect(lobby.calls == [.start("large", .bot), .start("tictactoe", .bot)])
    #expect(lobby.levels == [.easy, .medium])
  }

  @Test func `a choice in the lobby outlives a match`() {
    let choice = MutableGameChoice()
    for round in 1...2 {
      let interactor = OffGameInteractor(
        presenter: presenter, lobby: lobby, scoreStream: MutableScoreStream(),
        timers: ManualTimers(), choice: choice)
      interactor.listener = listener
      interactor.activate()
      if round == 1 {
        interactor.perform(.choose(gameID: "large"))
        interactor.perform(.chooseLevel(.easy))
      }
      interactor.perform(.start(.bot))
      interactor.deactivate()
    }
    #expect(lobby.calls == [.start("large", .bot), .start("large", .bot)])
    #expect(lobby.levels == [.easy, .easy])
    #expect(presenter.takeCalls().contains(.choice("large", .easy)))
  }

  @Test func `an invitation's game wins over the choice of the command line`() {
    let interactor = interactor(GameChoice(game: "large"))
    lobby.currentInvitations.send([Invitation(from: "bob", game: "tictactoe")])
    interactor.perform(.start(.player("bob")))
    #expect(lobby.calls == [.start("tictactoe", .player("bob"))])
  }

  @Test func `in a match, the choice of the command line does not count`() {
    lobby.matchGame = .ticTacToe
    lobby.currentStatus.send(.betweenGames(Outcome(winner: nil, reason: .full), hasAsked: false))
    let interactor = interactor(GameChoice(game: "large", level: .easy))
    interactor.perform(.start(.anyone))
    #expect(lobby.calls == [.start("tictactoe", .anyone)])
    #expect(lobby.levels == [nil])
    #expect(!presenter.takeCalls().contains(.choice("large", .easy)))
    lobby.matchGame = nil
    lobby.currentStatus.send(.lobby)
    #expect(presenter.takeCalls().contains(.choice("large", .easy)))
  }

  @Test(arguments: [
    ("go", "There is no game called go. The games are: chess, tictactoe, large."),
    ("chess", "Chess cannot be played with this client."),
  ])
  func `a choice that is not possible is reported once`(_ id: String, _ sentence: String) {
    let interactor = interactor(GameChoice(game: id))
    _ = interactor.request(.start(against: .bot, game: id))
    #expect(presenter.takeCalls().filter { $0 == .say(sentence) }.count == 1)
    #expect(lobby.calls.isEmpty)
    interactor.perform(.start(.anyone))
    #expect(lobby.calls == [.start("tictactoe", .anyone)])
  }
}
