import Shared

@testable import Client

final class RemoteMatchDelegateMock: RemoteMatchDelegate {
  enum Call: Equatable {
    case start(GameState)
    case endGame(Outcome, Score)
    case end(MatchEndReason, Mark?)
    case noAnswer, vanish
  }

  private(set) var calls: [Call] = []

  func match(didStart state: GameState) { calls.append(.start(state)) }

  func match(didEndGame outcome: Outcome, score: Score) {
    calls.append(.endGame(outcome, score))
  }

  func matchDidNotReply() { calls.append(.noAnswer) }
  func matchDidVanish() { calls.append(.vanish) }

  func match(didEnd reason: MatchEndReason, by mark: Mark?) { calls.append(.end(reason, mark)) }
}

final class RemoteGameMock: RemoteGame {
  enum Call: Equatable {
    case show(Board)
    case change(Change)
    case refuse(MoveError)
    case end(Outcome)
  }

  private(set) var calls: [Call] = []

  func show(_ board: Board) { calls.append(.show(board)) }
  func boardDidChange(_ change: Change) { calls.append(.change(change)) }
  func wasRefused(_ refusal: MoveError) { calls.append(.refuse(refusal)) }
  func gameDidEnd(with outcome: Outcome) { calls.append(.end(outcome)) }
}
