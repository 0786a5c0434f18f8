import Shared

/// The drawing.
extension TicTacToeScene {
  private static let margin = 2
  static let gap = 3
  /// The rows of the players, the turn and the last move.
  private static let panelRows = ScorePanel.rows + 3
  /// How long a move may stay unconfirmed before the screen shows that it is waiting for the
  /// server.
  private static let confirmationDelay = Duration.milliseconds(300)

  /// One row above the board and two below it; if the board is small, also two rows for a sentence.
  var minimumSize: Size {
    let board = BoardLayout.minimumSize(of: game)
    return Size(
      rows: max(board.rows, Self.panelRows + 2) + 3,
      columns: max(50, Self.margin + board.columns + Self.gap + ScorePanel.minColumns))
  }

  /// Returns the layout of the board on a screen. The board and the panel beside it are centred.
  func layout(in size: Size) -> BoardLayout {
    let taken = Self.margin + Self.gap + ScorePanel.minColumns
    let room = Size(rows: size.rows - 3, columns: size.columns - taken)
    let corner = Position(row: 1, column: Self.margin)
    let board = BoardLayout(game, at: corner, in: room).size
    let spare = size.columns - 2 * Self.margin - board.columns - Self.gap - ScorePanel.maxColumns
    return BoardLayout(
      game, at: Position(row: 1, column: Self.margin + max(0, spare) / 2), in: room)
  }

  func draw(into frame: inout Frame, now: Duration) {
    let layout = layout(in: frame.size)
    frame.writeHeader(game.name, seat == .none ? "You are watching" : "")
    BoardPicture(
      game: game, board: board, cursor: seat == .none ? nil : cursor, lastMove: lastMove?.cell,
      hasDigits: game.hasDigits && seat != .none
    ).draw(into: &frame, at: layout)
    let isLate = drawSentMove(into: &frame, at: layout, now: now)
    drawPanel(into: &frame, beside: layout, isLate: isLate)
    drawMessage(into: &frame, below: layout)
    frame.writeFooter(footer)
    guard isOwnTurn, isConnected, question == nil else { return }
    let corner = layout.corner(of: cursor)
    frame.cursor = Position(
      row: corner.row + layout.scale.cell.rows / 2,
      column: corner.column + layout.scale.cell.columns / 2)
  }

  /// Draws a spinner, never a mark, in the cell of a move that the server has not confirmed in
  /// time. Returns whether it did.
  private func drawSentMove(
    into frame: inout Frame, at layout: BoardLayout, now: Duration
  ) -> Bool {
    guard let sent, game.shape.contains(sent.cell), board[sent.cell] == nil else { return false }
    frame.isAnimated = true
    guard now - sent.time >= Self.confirmationDelay else { return false }
    let corner = layout.corner(of: sent.cell)
    let middle = Position(
      row: corner.row + layout.scale.cell.rows / 2,
      column: corner.column + layout.scale.cell.columns / 2)
    frame.writeSpinner(at: middle, style: Style(isReversed: sent.cell == cursor))
    return true
  }

  private func drawPanel(
    into frame: inout Frame, beside layout: BoardLayout, isLate: Bool
  ) {
    let spare = max(0, layout.size.rows - Self.panelRows)
    let corner = Position(
      row: layout.origin.row + min(1, spare),
      column: layout.origin.column + layout.size.columns + Self.gap)
    let columns = min(frame.size.columns - corner.column - 1, ScorePanel.maxColumns)
    ScorePanel(series: series, own: ownMark, turn: board.turn)
      .draw(into: &frame, at: corner, columns: columns)
    let turn = Position(row: corner.row + ScorePanel.rows + 1, column: corner.column)
    let used = frame.write(
      isLate && isConnected ? "Waiting for the server" : turnSentence, at: turn,
      style: isOwnTurn ? .bold : .plain, width: columns - 2)
    if !isOwnTurn || isLate || !isConnected {
      frame.writeSpinner(at: Position(row: turn.row, column: turn.column + used + 1))
    }
    guard let lastMove else { return }
    frame.write(
      "Last move: \(lastMove.mark.letter) \(location(of: lastMove.cell))",
      at: Position(row: turn.row + 1, column: turn.column), style: .dim, width: columns)
  }

  private func drawMessage(into frame: inout Frame, below layout: BoardLayout) {
    let (corner, lines) = messageLines(in: frame.size, below: layout)
    let style = question == nil ? Style(color: .red, isBold: true) : .bold
    for (index, line) in lines.enumerated() {
      frame.write(line, at: Position(row: corner.row + index, column: corner.column), style: style)
    }
  }

  /// Returns the lines of the question or the message, and their position right below the board.
  func messageLines(
    in size: Size, below layout: BoardLayout
  ) -> (corner: Position, lines: ArraySlice<String>) {
    let corner = Position(
      row: layout.origin.row + max(layout.size.rows, Self.panelRows), column: layout.origin.column)
    guard let text = question.map({ "\($0.rawValue) (y/n)" }) ?? message else {
      return (corner, [])
    }
    let lines = text.wrapped(to: size.columns - corner.column - 1)
    return (corner, lines.prefix(max(0, size.rows - 1 - corner.row)))
  }

  private var ownMark: Mark? { series.ownMark(at: seat) }

  private var turnSentence: String {
    guard isConnected else { return "Not connected" }
    guard let turn = board.turn else { return "The game is over." }
    if ownMark == turn { return "Your turn: place \(turn.letter)" }
    return isOwnTurn
      ? "\(series.players[turn].name): place \(turn.letter)"
      : "\(series.players[turn].name) to move"
  }

  /// The location of a cell for people: its column, its digit, or its row and column, from 1.
  private func location(of cell: Cell) -> String {
    if game.dropsMarks { return "in column \(cell.column + 1)" }
    return game.hasDigits
      ? "on \(game.number(of: cell))" : "on row \(cell.row + 1), column \(cell.column + 1)"
  }

  private var footer: [KeyHelp] {
    if question != nil { return [KeyHelp("y", "yes"), KeyHelp("any other key", "no")] }
    guard isConnected else { return [KeyHelp("Ctrl-C", "quit"), KeyHelp("?", "keys")] }
    guard seat != .none else { return [KeyHelp("q", "stop watching"), KeyHelp("?", "keys")] }
    let digits = game.hasDigits ? " 1–\(game.numbers.upperBound)" : ""
    return [
      KeyHelp("arrows", "move"), KeyHelp("Enter\(digits)", "place"),
      KeyHelp("r", "resign"), KeyHelp("q", "leave"), KeyHelp("?", "keys"),
    ]
  }

  var keys: [KeyHelp] {
    guard seat != .none else { return [KeyHelp("q, Esc", "stop watching")] }
    let unit = game.dropsMarks ? "column" : "cell"
    var keys = [
      KeyHelp("arrows, h j k l", "move to a \(unit)"), KeyHelp("Enter, Space", "place your mark"),
      KeyHelp("mouse", "place it where you click"),
    ]
    if game.hasDigits {
      keys.append(KeyHelp("1–\(game.numbers.upperBound)", "place it on that \(unit)"))
    }
    return keys + [KeyHelp("r", "resign this game"), KeyHelp("q, Esc", "leave the match")]
  }
}

/// The area for the news of the match.
extension TicTacToeScene {
  private static let usedRows = ScorePanel.rows + 4

  /// Returns the area below the players, the turn and the last move. If the sentence below the
  /// board reaches into that area, the area ends above it or begins below it.
  func newsArea(in size: Size) -> NewsScene.Area {
    let layout = layout(in: size)
    let column = layout.origin.column + layout.size.columns + Self.gap
    var top = layout.origin.row + 1 + Self.usedRows
    var bottom = size.rows - 2
    let (corner, lines) = messageLines(in: size, below: layout)
    if lines.contains(where: { corner.column + TextWidth.columns(of: $0) >= column }) {
      if corner.row > top {
        bottom = min(bottom, corner.row)
      } else {
        top = max(top, corner.row + lines.count)
      }
    }
    return NewsScene.Area(
      corner: Position(row: top, column: column),
      size: Size(
        rows: max(0, bottom - top),
        columns: max(0, min(size.columns - column - 1, ScorePanel.maxColumns))))
  }
}
