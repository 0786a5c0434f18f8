import Shared

/// The picture.
extension TicTacToeScene {
  private static let margin = 2
  private static let gap = 3
  /// Below the players: whose turn it is, and the last move.
  private static let panelRows = ScorePanel.rows + 3

  /// With a row above the board, and two below it.
  var minimumSize: Size {
    let board = BoardLayout.minimumSize(of: game.shape)
    return Size(
      rows: max(board.rows, Self.panelRows) + 3,
      columns: Self.margin + max(board.columns, 12) + Self.gap + ScorePanel.minimumColumns)
  }

  /// Where the board stands on a screen.
  func layout(in size: Size) -> BoardLayout {
    let taken = Self.margin + Self.gap + ScorePanel.minimumColumns
    return BoardLayout(
      game.shape, at: Position(row: 1, column: Self.margin),
      in: Size(rows: size.rows - 3, columns: size.columns - taken))
  }

  func draw(into frame: inout Frame) {
    let layout = layout(in: frame.size)
    frame.writeHeader(game.name, seat == .none ? "You watch" : "")
    BoardPicture(
      board: board, cursor: seat == .none ? nil : cursor, lastMove: lastMove?.cell,
      hasDigits: BoardPicture.hasDigits(game.shape) && seat != .none
    ).draw(into: &frame, at: layout)
    drawPanel(into: &frame, beside: layout)
    drawMessage(into: &frame, below: layout)
    frame.writeFooter(footer)
    guard isOwnTurn, question == nil else { return }
    let corner = layout.corner(of: cursor)
    frame.cursor = Position(
      row: corner.row + layout.scale.cell.rows / 2,
      column: corner.column + layout.scale.cell.columns / 2)
  }

  private func drawPanel(into frame: inout Frame, beside layout: BoardLayout) {
    let spare = max(0, layout.size.rows - Self.panelRows)
    let corner = Position(
      row: layout.origin.row + min(1, spare),
      column: layout.origin.column + layout.size.columns + Self.gap)
    let columns = min(frame.size.columns - corner.column - 1, 34)
    ScorePanel(series: series, own: ownMark, turn: board.turn)
      .draw(into: &frame, at: corner, columns: columns)
    let turn = Position(row: corner.row + ScorePanel.rows + 1, column: corner.column)
    let used = frame.write(
      turnSentence, at: turn, style: isOwnTurn ? .bold : .plain, width: columns - 2)
    if !isOwnTurn {
      frame.writeSpinner(at: Position(row: turn.row, column: turn.column + used + 1))
    }
    guard let lastMove else { return }
    frame.write(
      "Last: \(series.players[lastMove.mark].name) on \(name(of: lastMove.cell))",
      at: Position(row: turn.row + 1, column: turn.column), style: .dim, width: columns)
  }

  /// Right below the board, where the eye is.
  private func drawMessage(into frame: inout Frame, below layout: BoardLayout) {
    let place = Position(row: layout.origin.row + layout.size.rows, column: layout.origin.column)
    let room = frame.size.columns - place.column - 1
    if let question {
      let used = frame.write(question.rawValue, at: place, style: .bold, width: room)
      frame.write(
        " y: yes · any other key: no",
        at: Position(row: place.row, column: place.column + used), width: room - used)
    } else if let message {
      frame.write(message, at: place, style: Style(color: .red, isBold: true), width: room)
    }
  }

  private var ownMark: Mark? {
    if case .one(let mark) = seat { mark } else { nil }
  }

  private var turnSentence: String {
    guard let turn = board.turn else { return "The game is over." }
    if ownMark == turn { return "Your turn: place \(turn.letter)" }
    return isOwnTurn
      ? "\(series.players[turn].name): place \(turn.letter)"
      : "\(series.players[turn].name) is to move"
  }

  /// As a person finds it: its digit, or its row and column counted from 1.
  private func name(of cell: Cell) -> String {
    BoardPicture.hasDigits(game.shape)
      ? String(game.shape.index(of: cell) + 1) : "row \(cell.row + 1), column \(cell.column + 1)"
  }

  private var footer: [KeyHelp] {
    guard seat != .none else { return [KeyHelp("q", "stop watching"), KeyHelp("?", "keys")] }
    let digits = BoardPicture.hasDigits(game.shape) ? " 1–\(game.shape.cellCount)" : ""
    return [
      KeyHelp("arrows, mouse", "choose"), KeyHelp("Enter\(digits)", "place"),
      KeyHelp("r", "resign"), KeyHelp("q", "leave"), KeyHelp("?", "keys"),
    ]
  }

  var keys: [KeyHelp] {
    var keys = [KeyHelp("q, Esc", seat == .none ? "stop watching" : "leave the match")]
    guard seat != .none else { return keys }
    if BoardPicture.hasDigits(game.shape) {
      keys.insert(KeyHelp("1–\(game.shape.cellCount)", "place your mark on that cell"), at: 0)
    }
    return [
      KeyHelp("arrows, h j k l", "move to a cell"),
      KeyHelp("Enter, Space", "place your mark there"),
      KeyHelp("mouse", "place your mark where you click"),
    ] + keys.dropLast() + [KeyHelp("r", "resign: give this game up")] + keys.suffix(1)
  }
}
