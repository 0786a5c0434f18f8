package import Shared

/// The state of a match as its events give it. It throws a `TrackingError` at an event that does not follow
/// from those before it.
package struct MatchTracker: Equatable {
  /// An event that does not follow.
  package struct TrackingError: Error, CustomStringConvertible {
    package let description: String
  }

  package let match: String
  /// The number of the last event.
  package private(set) var seq: Int
  package private(set) var state: GameState
  package private(set) var board: Board
  package private(set) var score: Score
  package private(set) var isOver: Bool

  /// Starts with the first event of a match.
  package init(_ event: MatchEvent) throws(TrackingError) {
    guard event.seq == 1, case .gameDidStart(let state) = event.body else {
      throw TrackingError(description: "A match does not begin with \(event).")
    }
    match = event.match
    seq = 1
    self.state = state
    board = state.board
    score = state.score
    isOver = false
    try check(board.freeCells.count == board.shape.cellCount && score == Score(), event)
  }

  package init(_ snapshot: MatchSnapshot) {
    match = snapshot.match
    seq = snapshot.seq
    state = snapshot.state
    board = state.board
    score = state.score
    isOver = snapshot.outcome != nil
  }

  /// The receiver's mark; `nil` for a spectator.
  package var you: Mark? { state.you }

  package var gamesEnded: Int { score.x + score.o + score.draws }

  /// Applies the next event. A repeated event changes nothing.
  package mutating func take(_ event: MatchEvent) throws(TrackingError) {
    guard event.seq > seq else { return }
    try check(event.match == match && event.seq == seq + 1, event)
    seq = event.seq
    switch event.body {
    case .gameDidStart(let next):
      try check(isOver && next.score == score.swapped, event)
      try check(next.players == state.players.swapped && next.you == you?.other, event)
      try check(next.board.freeCells.count == board.shape.cellCount, event)
      (state, board, score, isOver) = (next, next.board, next.score, false)
    case .boardDidChange(let change, _):
      try check(!isOver && board[change.placement.cell] == nil, event)
      try check(change.placement.mark == board.turn, event)
      try check(board.apply(change) && board.hash == change.hash, event)
    case .gameDidEnd(let outcome, let told):
      try check(!isOver && ((outcome.line == nil) || board.turn == nil), event)
      score.count(outcome)
      isOver = true
      try check(score == told, event)
    case .presenceDidChange, .didSay:
      break
    case .matchDidEnd(_, _, let told):
      try check(score == told, event)
    }
  }

  /// Applies a snapshot that replaces events.
  package mutating func take(_ snapshot: MatchSnapshot) throws(TrackingError) {
    guard snapshot.match == match, snapshot.seq >= seq else {
      throw TrackingError(description: "\(snapshot) comes after \(self).")
    }
    let next = MatchTracker(snapshot)
    let isSame = next.board.rows == board.rows && next.score == score && next.isOver == isOver
    guard next.seq > seq || isSame else {
      throw TrackingError(description: "\(snapshot) is not \(self).")
    }
    self = next
  }

  private func check(_ holds: Bool, _ event: MatchEvent) throws(TrackingError) {
    guard !holds else { return }
    throw TrackingError(description: "\(event) comes after \(self).")
  }
}
