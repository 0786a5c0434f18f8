/// A game as the last line has left it.
struct Game {
  let match, you: String
  /// The names of both players.
  let players: [String]
  let inARow: Int
  private(set) var board: [[Character]]
  /// The mark whose turn it is; `nil` when the game is over.
  var turn: String?
  /// The cells where the next mark may go; `nil` if these are all free cells.
  private var open: [[Int]]?

  /// From a `gameDidStart` or a `matchSnapshot`.
  init?(_ event: Event) {
    guard let match = event.match, let you = event.you, let inARow = event.inARow,
      let board = event.board
    else { return nil }
    (self.match, self.you, self.inARow) = (match, you, inARow)
    players = event.players.map { [$0.X, $0.O] } ?? []
    self.board = board.map(Array.init)
    turn = event.turn
    open = event.open
  }

  /// Applies a `boardDidChange`. Returns whether the board is now that of the server.
  mutating func apply(_ change: Event) -> Bool {
    for cell in change.cells ?? [] { board[cell.row][cell.col] = Character(cell.mark) }
    turn = change.turn
    open = change.open
    return hash == change.hash
  }

  /// The FNV-1a of the rows joined by `/`.
  private var hash: String {
    let value = board.map { String($0) }.joined(separator: "/").utf8
      .reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The move: a cell that wins, else one that blocks, else any. Write a better one here.
  func choose() -> (row: Int, col: Int)? {
    let cells = open?.map { (row: $0[0], col: $0[1]) } ?? free
    for mark in [you, you == "X" ? "O" : "X"] {
      if let cell = cells.first(where: { completes($0, with: Character(mark)) }) { return cell }
    }
    return cells.randomElement()
  }

  private var free: [(row: Int, col: Int)] {
    board.indices.flatMap { row in
      board[row].indices.filter { board[row][$0] == "." }.map { (row, $0) }
    }
  }

  private func completes(_ cell: (row: Int, col: Int), with mark: Character) -> Bool {
    [(0, 1), (1, 0), (1, 1), (1, -1)].contains { down, right in
      var length = 1
      for sign in [1, -1] {
        var (row, col) = (cell.row + sign * down, cell.col + sign * right)
        while board.indices.contains(row), board[row].indices.contains(col),
          board[row][col] == mark
        {
          (length, row, col) = (length + 1, row + sign * down, col + sign * right)
        }
      }
      return length >= inARow
    }
  }
}
