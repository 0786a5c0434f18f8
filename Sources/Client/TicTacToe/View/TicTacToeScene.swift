import Shared

/// A running game on the screen: a pure value that can be drawn.
struct TicTacToeScene: Equatable {
  /// The action of a key press.
  enum Action: Equatable {
    case place(Cell)
    case resign
    case leave
  }

  /// A question that the person must confirm.
  enum Question: String, CaseIterable {
    case resign = "Resign this game?"
    case leave = "Leave, and lose this game?"

    var action: Action {
      switch self {
      case .resign: .resign
      case .leave: .leave
      }
    }
  }

  /// A move that the rules have not confirmed yet.
  struct SentMove: Equatable {
    let cell: Cell
    let time: Duration
  }

  let game: GameInfo
  /// The players, and the score before this game; after its end, with it.
  private(set) var series: Series
  let seat: Seat
  var board: Board { didSet { (message, sent) = (nil, nil) } }
  var cursor: Cell
  /// The reason why the last move was refused, or another notice.
  var message: String?
  var question: Question?
  /// The name of a cell that the person is typing, to go there; `nil` while there is none.
  private(set) var cellName: TextField?
  var isConnected = true
  /// How the game ended; `nil` while it runs. In a match, OffGame then shows the last board.
  private(set) var outcome: Outcome?
  /// Whether the game is one of a stored match.
  var isReplay = false
  /// `nil` again once the board changes or the move is refused.
  var sent: SentMove?

  init(game: GameInfo, setup: GameSetup) {
    self.game = game
    series = setup.series
    seat = setup.seat
    board = setup.board
    cursor = game.target(
      of: Cell(row: game.shape.rows / 2, column: game.shape.columns / 2), on: setup.board)
  }

  /// The last move, as far as it is known.
  var lastMove: Placement? { board.lastMove }

  /// Whether a person at this client is to move.
  var isOwnTurn: Bool {
    guard let turn = board.turn else { return false }
    return seat.plays(turn) && series.players[turn] != .bot
  }

  /// Whether it is the turn of the only person at this client.
  var isOnlyOwnTurn: Bool { board.turn != nil && board.turn == series.ownMark(at: seat) }

  /// Whether the last move was made at this client and has ended the game.
  var isOverByOwnMove: Bool {
    guard board.turn == nil, let mark = lastMove?.mark else { return false }
    return seat.plays(mark) && series.players[mark] != .bot
  }

  /// The game is over.
  mutating func end(with outcome: Outcome) {
    self.outcome = outcome
    series.gameDidEnd(with: outcome)
  }

  /// Applies a change that the rules have made.
  mutating func apply(_ change: Change) {
    var board = board
    guard board.apply(change) else { return }
    self.board = board
    cursor = game.target(of: cursor, on: board)
  }
}

/// The keys.
extension TicTacToeScene {
  /// Returns the action of the key, if there is one, and whether the key has a meaning here. `size`
  /// is the size of the screen, for mouse clicks.
  mutating func press(_ key: Key, in size: Size) -> (action: Action?, isUsed: Bool) {
    let result = pressConnected(key, in: size)
    guard !isConnected, result.action != nil || question != nil else { return result }
    question = nil
    message = Self.noConnection
    return (nil, true)
  }

  private static let noConnection =
    "There is no connection to the server now. Wait, or press Ctrl-C to end the program."

  private mutating func pressConnected(
    _ key: Key, in size: Size
  ) -> (action: Action?, isUsed: Bool) {
    if let question {
      self.question = nil
      return (key == .character("y") ? question.action : nil, true)
    }
    message = nil
    if cellName != nil { return (pressInCellName(key), true) }
    guard seat != .none else { return pressAsSpectator(key) }
    switch key {
    case .up, .character("k"): move(rows: -1)
    case .down, .character("j"): move(rows: 1)
    case .left, .character("h"): move(columns: -1)
    case .right, .character("l"): move(columns: 1)
    case .home: move(to: Cell(row: cursor.row, column: 0))
    case .end: move(to: Cell(row: cursor.row, column: game.shape.columns - 1))
    case .enter, .character(" "): return (.place(cursor), true)
    case .press(let position):
      guard let cell = layout(in: size).cell(at: position) else { return (nil, true) }
      cursor = game.target(of: cell, on: board)
      return (.place(cursor), true)
    case .character("g") where game.hasLabels:
      cellName = TextField(maxLength: Self.maxNameLength)
    case .character("r"): question = .resign
    case .character("q"), .escape: question = .leave
    case .character(let digit):
      guard game.hasDigits, let number = digit.wholeNumberValue, digit.isASCII,
        game.numbers.contains(number)
      else { return (nil, false) }
      cursor = game.cell(numbered: number, on: board)
      return (.place(cursor), true)
    default: return (nil, false)
    }
    return (nil, true)
  }

  /// Edits the name of a cell, and goes there with Enter. The cell may have a mark.
  private mutating func pressInCellName(_ key: Key) -> Action? {
    switch key {
    case .escape: cellName = nil
    case .backspace where cellName?.text.isEmpty == true: cellName = nil
    case .enter:
      let text = cellName?.text ?? ""
      cellName = nil
      if let cell = Cell(label: text), game.shape.contains(cell) {
        move(to: cell)
      } else if !text.isEmpty {
        let shape = game.shape
        let last = Cell(row: shape.rows - 1, column: shape.columns - 1)
        message = "There is no cell \(text), only a1 to \(last.label)."
      }
    case .character(let character) where !character.isASCII || character == " ": break
    default: _ = cellName?.press(key)
    }
    return nil
  }

  /// Enough for the name of any cell.
  private static let maxNameLength = 3

  private func pressAsSpectator(_ key: Key) -> (action: Action?, isUsed: Bool) {
    switch key {
    case .character("q"), .escape: (.leave, true)
    default: (nil, false)
    }
  }

  private mutating func move(rows: Int = 0, columns: Int = 0) {
    move(to: Cell(row: cursor.row + rows, column: cursor.column + columns))
  }

  private mutating func move(to cell: Cell) {
    if game.shape.contains(cell) { cursor = game.target(of: cell, on: board) }
  }
}
