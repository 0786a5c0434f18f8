import Shared

@testable import Client

final class OffGamePresentableMock: OffGamePresentable {
  enum Call: Equatable {
    case status(PlayStatus, Series?)
    case invitation(Invitation, Offer?)
    case request(Opponent)
    case waiting(Duration)
    case say(String)
  }

  weak var listener: (any OffGamePresentableListener)?
  private(set) var calls: [Call] = []

  func show(_ status: PlayStatus, series: Series?, offers: [Offer]) {
    calls.append(.status(status, series))
  }

  func show(_ invitation: Invitation, to offer: Offer?) {
    calls.append(.invitation(invitation, offer))
  }

  func showRequest(against opponent: Opponent) { calls.append(.request(opponent)) }
  func show(waitingFor duration: Duration) { calls.append(.waiting(duration)) }
  func say(_ sentence: String) { calls.append(.say(sentence)) }

  /// The calls since the last time.
  func take() -> [Call] {
    defer { calls = [] }
    return calls
  }
}

final class OffGameListenerMock: OffGameListener {
  enum Call: Equatable {
    case start(String, Opponent)
    case cancel, leave, list
  }

  private(set) var calls: [Call] = []

  func startGame(with game: GameInfo, against opponent: Opponent) {
    calls.append(.start(game.id, opponent))
  }

  func cancelStart() { calls.append(.cancel) }
  func leaveMatch() { calls.append(.leave) }
  func listPlayers() { calls.append(.list) }
}

final class StartingMock: Starting {
  static let small = Offer(game: .ticTacToe, isPlayable: true)
  static let large = Offer(game: .large, isPlayable: true)
  static let strange = Offer(
    game: GameInfo(id: "chess", name: "Chess", shape: .ticTacToe), isPlayable: false)

  var offers: [Offer] = [small]
  var matchGame: GameInfo?
  let current = CurrentValue(PlayStatus.lobby)
  let standing = CurrentValue<[Invitation]>([])
  let said = EventSource<String>()

  var status: Stream<PlayStatus> { current.stream }
  var invitations: Stream<[Invitation]> { standing.stream }
  var notices: Stream<String> { said.stream }
}

extension GameInfo {
  /// A second game, with another board.
  static let large = GameInfo(
    id: "large", name: "Large", shape: BoardShape(rows: 4, columns: 4, inARow: 4) ?? .ticTacToe)
}

/// OffGame as a workflow sees it, which grants every wish.
final class OffGameActionableItemMock: OffGameActionableItem {
  private(set) var requests: [Opponent] = []

  func requestGame(against opponent: Opponent) -> StepStream<any OffGameActionableItem, Void> {
    requests.append(opponent)
    return .step(self, ())
  }
}
