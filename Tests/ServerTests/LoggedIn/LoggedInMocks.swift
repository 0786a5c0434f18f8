import RIBs
import Shared
import TestSupport

@testable import Server

final class LoggedInListenerMock: LoggedInListener {
  private(set) var ended: [String] = []
  private(set) var lost: [Session] = []
  private(set) var games: [String] = []
  var onEnd: () -> Void = {}

  func gameDidBegin(in match: String) { games.append("began") }
  func gameDidEnd(in match: String) { games.append("ended") }

  func matchDidEnd(_ match: String, lost: [Session]) {
    self.lost = lost
    ended.append(match)
    onEnd()
  }
}

final class LoggedInRoutingMock: RoutingMock, LoggedInRouting {
  weak var interactor: (any LoggedInInteractable)?
  private(set) var game: GameRoutingMock?
  private(set) var setups: [GameSetup] = []
  private(set) var cleanupViewsCallCount = 0
  var onAttachGame: (GameSetup) -> Void = { _ in }

  func attachGame(with setup: GameSetup) {
    setups.append(setup)
    let game = GameRoutingMock()
    self.game = game
    interactor?.gameWillAttach(game)
    onAttachGame(setup)
  }

  func cleanupViews() {
    cleanupViewsCallCount += 1
    game = nil
  }
}

final class LoggedInInteractableMock: Interactor, LoggedInInteractable {
  weak var router: (any LoggedInRouting)?
  weak var listener: (any LoggedInListener)?
  let detail = "m"
  private(set) var outcomes: [Outcome] = []
  private(set) var games: [any GameRouting] = []

  func gameWillAttach(_ game: any GameRouting) { games.append(game) }
  func gameDidEnd(with outcome: Outcome) { outcomes.append(outcome) }
}

final class LoggedInBuildableMock: LoggedInBuildable {
  private(set) var setups: [String] = []
  private(set) var built: [LoggedInRoutingMock] = []
  private(set) weak var listener: (any LoggedInListener)?

  func build(
    withListener listener: any LoggedInListener, setup: MatchSetup
  ) -> any LoggedInRouting {
    setups.append(setup.id)
    self.listener = listener
    let router = LoggedInRoutingMock()
    built.append(router)
    return router
  }
}

final class GameRoutingMock: RoutingMock, GameRouting {
  let viewControllable: any ViewControllable = RecordingGameView()
  var board = Board(.ticTacToe)
  private(set) var ends: [(reason: Outcome.Reason, mark: Mark)] = []
  var onEnd: (Outcome.Reason, Mark) -> Void = { _, _ in }

  func end(_ reason: Outcome.Reason, by mark: Mark) {
    ends.append((reason, mark))
    onEnd(reason, mark)
  }
}

final class GameBuildableMock: GameBuildable {
  private(set) var setups: [GameSetup] = []
  private(set) weak var listener: (any GameListener)?
  var onBuild: () -> any GameRouting = { GameRoutingMock() }

  func build(withListener listener: any GameListener, setup: GameSetup) -> any GameRouting {
    setups.append(setup)
    self.listener = listener
    return onBuild()
  }
}
