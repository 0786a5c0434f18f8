/// Why a move is refused.
enum HeapError: String, Error, CaseIterable {
  case wrongCount, gameOver
}

/// The heap of Nim. Each player takes up to three matches. The player who takes the last one wins.
struct Heap: Equatable {
  var matches = 12
  var turn = Mark.x

  /// `nil` while the game runs.
  var outcome: Outcome? { matches == 0 ? .won(turn.other) : nil }

  mutating func take(_ count: Int) throws(HeapError) {
    guard matches > 0 else { throw .gameOver }
    guard 1...min(3, matches) ~= count else { throw .wrongCount }
    matches -= count
    turn = turn.other
  }
}
