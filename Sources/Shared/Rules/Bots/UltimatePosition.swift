/// A position of `ultimate` as bits, for fast playouts. The rules are those of
/// `Board+Ultimate.swift`.
struct UltimatePosition {
  /// A cell by the indices, in row-major order, of its small board in the grid and of itself in
  /// that board.
  struct Move: Equatable {
    /// 9 × the board + the cell. One byte, because a search keeps very many.
    private let index: UInt8

    var board: Int { Int(index / 9) }
    var cell: Int { Int(index % 9) }

    init(board: Int, cell: Int) {
      index = UInt8(truncatingIfNeeded: 9 &* board &+ cell)
    }

    init(_ cell: Cell) {
      self.init(
        board: cell.row / 3 * 3 + cell.column / 3, cell: cell.row % 3 * 3 + cell.column % 3)
    }

    var asCell: Cell {
      Cell(row: board / 3 * 3 + cell / 3, column: board % 3 * 3 + cell % 3)
    }
  }

  enum Result {
    case running, won, drawn
  }

  /// Nine bits for each small board: the marks of the side to move, and those of the other side.
  private var own = SIMD16<UInt16>()
  private var theirs = SIMD16<UInt16>()
  /// The small boards that each side has won, and those that are won or full.
  private var ownBoards: UInt16 = 0
  private var theirBoards: UInt16 = 0
  private var closed: UInt16 = 0
  /// The only board that is open; `nil` if all that are not closed are.
  private(set) var target: Int?

  private static let full: UInt16 = 0o777

  /// Takes a running game.
  init(_ board: Board, for mark: Mark) {
    for index in 0..<board.shape.cellCount {
      let cell = board.shape.cell(at: index)
      guard let found = board[cell] else { continue }
      let move = Move(cell)
      if found == mark {
        own[move.board] |= 1 << move.cell
      } else {
        theirs[move.board] |= 1 << move.cell
      }
    }
    for board in 0..<9 {
      if Self.hasLine(own[board]) { ownBoards |= 1 << board }
      if Self.hasLine(theirs[board]) { theirBoards |= 1 << board }
      if (own[board] | theirs[board]) == Self.full { closed |= 1 << board }
    }
    closed |= ownBoards | theirBoards
    let open = Set(board.openCells.map { Move($0).board })
    target = open.count == 1 ? open.first : nil
  }

  /// The free cells of a small board, closed or not.
  @inline(__always)
  func freeCells(of board: Int) -> UInt16 { ~(own[board] | theirs[board]) & Self.full }

  func isClosed(_ board: Int) -> Bool { closed & (1 << board) != 0 }

  /// Calls a closure for each move.
  @inline(__always)
  func forEachMove(_ body: (Move) -> Void) {
    for board in 0..<9 where target == nil ? !isClosed(board) : board == target {
      var free = freeCells(of: board)
      while free != 0 {
        body(Move(board: board, cell: free.trailingZeroBitCount))
        free &= free - 1
      }
    }
  }

  /// Makes a move. Then it is the other side's turn, which the properties describe.
  @inline(__always)
  mutating func play(_ move: Move) -> Result {
    let marks = own[move.board] | 1 << UInt16(truncatingIfNeeded: move.cell)
    own[move.board] = marks
    let board: UInt16 = 1 << UInt16(truncatingIfNeeded: move.board)
    if Self.hasLine(marks) {
      ownBoards |= board
      closed |= board
      if Self.hasLine(ownBoards) { return .won }
    } else if marks | theirs[move.board] == Self.full {
      closed |= board
    }
    if closed == Self.full { return .drawn }
    target = isClosed(move.cell) ? nil : move.cell
    swap(&own, &theirs)
    swap(&ownBoards, &theirBoards)
    return .running
  }

  /// How promising a move looks, without a look at replies.
  func weight(of move: Move) -> Float {
    let bit: UInt16 = 1 << UInt16(truncatingIfNeeded: move.cell)
    var weight: Float = 1
    let isWin = Self.hasLine(own[move.board] | bit)
    if isWin {
      let board: UInt16 = 1 << UInt16(truncatingIfNeeded: move.board)
      weight = Self.hasLine(ownBoards | board) ? 1_000 : 4
    } else if Self.hasLine(theirs[move.board] | bit) {
      weight = 2
    }
    // The opponent may then go to any board, or wins the one that it is sent to.
    let isClosedNext = isClosed(move.cell) || isWin && move.cell == move.board
    if isClosedNext || Self.winningCells(theirs[move.cell]) & freeCells(of: move.cell) != 0 {
      weight /= 2
    }
    return weight
  }

  /// Plays to the end: a move that wins its small board if the target has one, else any at random.
  /// Returns 1 if the side to move wins, 0 if it loses, and 0.5 for a draw.
  func playout(using random: inout SplitMix64) -> Float {
    var position = self
    var isOurTurn = true
    while true {
      switch position.play(position.randomMove(using: &random)) {
      case .running: isOurTurn.toggle()
      case .won: return isOurTurn ? 1 : 0
      case .drawn: return 0.5
      }
    }
  }

  @inline(__always)
  private func randomMove(using random: inout SplitMix64) -> Move {
    var board: Int
    if let target {
      board = target
    } else {
      // Any open board, and then any of its cells: nearly as fair, and much faster.
      board = Self.bit(at: random.index(below: 9 - closed.nonzeroBitCount), of: ~closed & Self.full)
    }
    let free = freeCells(of: board)
    let wins = Self.winningCells(own[board]) & free
    let choice = wins != 0 ? wins : free
    return Move(
      board: board, cell: Self.bit(at: random.index(below: choice.nonzeroBitCount), of: choice))
  }

  /// The number of the set bit at an index among the set bits.
  @inline(__always)
  private static func bit(at index: Int, of bits: UInt16) -> Int {
    var bits = bits
    for _ in 0..<index { bits &= bits &- 1 }
    return bits.trailingZeroBitCount
  }

  @inline(__always)
  private static func hasLine(_ bits: UInt16) -> Bool {
    let rows = bits & bits &>> 1 & bits &>> 2 & 0o111
    let columns = bits & bits &>> 3 & bits &>> 6
    return rows | columns != 0 || bits & 0o421 == 0o421 || bits & 0o124 == 0o124
  }

  /// The cells, free or not, that complete a line.
  @inline(__always)
  private static func winningCells(_ bits: UInt16) -> UInt16 {
    // Two of a row lack the third, and so on.
    var rows = bits &<< 1 & bits &<< 2 & 0o444
    rows |= bits &<< 1 & bits &>> 1 & 0o222
    rows |= bits &>> 1 & bits &>> 2 & 0o111
    var columns = bits &<< 3 & bits &<< 6 | bits &<< 3 & bits &>> 3 | bits &>> 3 & bits &>> 6
    columns &= full
    var diagonals: UInt16 = 0
    for line: UInt16 in [0o421, 0o124] where (bits & line).nonzeroBitCount == 2 {
      diagonals |= line & ~bits
    }
    return rows | columns | diagonals
  }
}
