/// A player's mark. X moves first.
enum Mark: String, Equatable {
  case x = "X"
  case o = "O"

  var other: Mark { self == .x ? .o : .x }
}

/// The names of both players.
struct Players: Equatable {
  let x: String
  let o: String

  subscript(mark: Mark) -> String { mark == .x ? x : o }
}

/// The end of a game.
enum Outcome: Equatable {
  case won(Mark)
  case draw
}

/// How many games each player has won.
struct Score: Equatable {
  private(set) var x = 0
  private(set) var o = 0

  mutating func gameDidEnd(with outcome: Outcome) {
    switch outcome {
    case .won(.x): x += 1
    case .won(.o): o += 1
    case .draw: break
    }
  }
}
