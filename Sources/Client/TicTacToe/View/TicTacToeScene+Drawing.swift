import Shared

/// The drawing.
extension TicTacToeScene {
  /// How long a move may stay unconfirmed before the screen shows that it is waiting for the
  /// server.
  private static let confirmationDelay = Duration.milliseconds(300)

  var minimumSize: Size { GameLayout.minimumSize(for: game) }

  /// Returns the layout of the board on a screen.
  func layout(in size: Size) -> BoardLayout { GameLayout(game, in: size).board }

  func draw(into frame: inout Frame, now: Duration) {
    let gameLayout = GameLayout(game, in: frame.size)
    let layout = gameLayout.board
    frame.writeHeader(game.name, isReplay ? "Replay" : seat == .none ? "You are watching" : "")
    BoardPicture(
      game: game, board: board, cursor: seat == .none ? nil : cursor, lastMove: lastMove?.cell,
      line: outcome?.line ?? [], hasDigits: game.hasDigits && seat != .none
    ).draw(into: &frame, at: layout)
    let isLate = drawSentMove(into: &frame, at: layout, now: now)
    drawPanel(into: &frame, in: gameLayout.panel, isLate: isLate)
    drawMessage(into: &frame)
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

  private func drawPanel(into frame: inout Frame, in panel: Area, isLate: Bool) {
    let (corner, columns) = (panel.corner, panel.size.columns)
    ScorePanel(series: series, own: ownMark, turn: outcome == nil ? board.turn : nil)
      .draw(into: &frame, at: corner, columns: columns)
    let turn = Position(
      row: corner.row + ScorePanel.rows + Self.gapRows(in: frame.size), column: corner.column)
    let used = frame.write(
      isLate && isConnected ? "Waiting for the server" : turnSentence, at: turn,
      style: isOwnTurn ? .bold : .plain, width: columns - 2)
    if outcome == nil, !isReplay, !isOwnTurn || isLate || !isConnected {
      frame.writeSpinner(at: Position(row: turn.row, column: turn.column + used + 1))
    }
    guard let lastMove else { return }
    let texts = sentences(about: lastMove)
    let text = texts.first { TextWidth.columns(of: $0) <= columns } ?? texts[0]
    frame.write(
      text, at: Position(row: turn.row + 1, column: turn.column), style: .dim, width: columns)
  }

  /// The number of blank rows between the parts of the panel.
  private static func gapRows(in size: Size) -> Int { GameLayout.isTight(size) ? 0 : 1 }

  private func drawMessage(into frame: inout Frame) {
    let (corner, lines) = messageLines(in: frame.size)
    let style = question == nil ? Style(color: .red, isBold: true) : .bold
    for (index, line) in lines.enumerated() {
      frame.write(line, at: Position(row: corner.row + index, column: corner.column), style: style)
    }
  }

  /// Returns the lines of the question or the message, and their position right below the board.
  private func messageLines(in size: Size) -> (corner: Position, lines: ArraySlice<String>) {
    let below = GameLayout(game, in: size).below
    guard let text = question.map({ "\($0.rawValue) (y/n)" }) ?? message else {
      return (below.corner, [])
    }
    return (below.corner, text.wrapped(to: below.size.columns).prefix(below.size.rows))
  }

  private var ownMark: Mark? { series.ownMark(at: seat) }

  private var turnSentence: String {
    guard isConnected else { return "Not connected" }
    if let outcome { return outcome.title(for: ownMark, players: series.players) }
    guard let turn = board.turn else { return "The game is over." }
    if ownMark == turn { return "Your turn: place \(turn.letter)" }
    return isOwnTurn
      ? "\(series.players[turn].name): place \(turn.letter)"
      : "\(series.players[turn].name) to move"
  }

  /// The last move in words, the longest sentence first. Cells are named by their column, their
  /// digit, or their row and column, from 1.
  private func sentences(about move: Placement) -> [String] {
    let (mark, cell) = (move.mark.letter, move.cell)
    if game.dropsMarks {
      return [
        "Last move: \(mark) in column \(cell.column + 1)", "Last: \(mark) in \(cell.column + 1)",
      ]
    }
    if game.hasDigits { return ["Last move: \(mark) on \(game.number(of: cell))"] }
    return [
      "Last move: \(mark) on row \(cell.row + 1), column \(cell.column + 1)",
      "\(mark): row \(cell.row + 1), column \(cell.column + 1)",
      "\(mark): row \(cell.row + 1), col. \(cell.column + 1)",
    ]
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
  /// Returns the area below the players, the turn and the last move. If the sentence below the
  /// board reaches into that area, the area ends above it or begins below it.
  func newsArea(in size: Size) -> Area {
    let panel = GameLayout(game, in: size).panel
    let gap = Self.gapRows(in: size)
    var top = panel.corner.row + ScorePanel.rows + gap + 2 + gap
    var bottom = panel.bottom
    let (corner, lines) = messageLines(in: size)
    if lines.contains(where: { corner.column + TextWidth.columns(of: $0) >= panel.corner.column }) {
      if corner.row > top {
        bottom = min(bottom, corner.row)
      } else {
        top = max(top, corner.row + lines.count)
      }
    }
    return Area(
      corner: Position(row: top, column: panel.corner.column),
      size: Size(rows: bottom - top, columns: panel.size.columns))
  }
}
