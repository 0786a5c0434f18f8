import Shared

/// The drawing.
extension TicTacToeScene {
  /// How long a move may stay unconfirmed before the screen shows that it is waiting for the
  /// server.
  private static let confirmationDelay = Duration.milliseconds(300)

  /// The minimum size of a screen, which depends on its columns.
  func minimumSize(in size: Size) -> Size {
    GameLayout.minimumSize(for: game, columns: size.columns)
  }

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
    drawPanel(into: &frame, in: gameLayout, isLate: isLate)
    drawMessage(into: &frame)
    frame.writeFooter(footer)
    guard cellName == nil else { return }
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

  private func drawPanel(into frame: inout Frame, in layout: GameLayout, isLate: Bool) {
    let (corner, columns) = (layout.panel.corner, layout.panel.size.columns)
    let rows = PanelRows(layout, in: frame.size)
    let score = ScorePanel(series: series, own: ownMark, turn: outcome == nil ? board.turn : nil)
    if rows.score == 1 {
      score.drawRow(into: &frame, at: corner, columns: columns)
    } else {
      score.draw(into: &frame, at: corner, columns: min(columns, ScorePanel.maxColumns))
    }
    let turn = Position(row: rows.turn, column: corner.column)
    let isWaiting = outcome == nil && !isReplay && (!isOwnTurn || isLate || !isConnected)
    let room = isWaiting ? columns - 2 : columns
    let turnTexts =
      isLate && isConnected ? ["Waiting for the server", "Waiting …"] : turnSentences
    let used = frame.write(
      turnTexts.first { TextWidth.columns(of: $0) <= room } ?? turnTexts.last ?? "", at: turn,
      style: isOwnTurn ? .bold : .plain, width: room)
    if isWaiting {
      frame.writeSpinner(at: Position(row: turn.row, column: turn.column + used + 1))
    }
    guard let lastMove else { return }
    let start = rows.lastMove == rows.turn ? used + 4 : 0
    let texts = game.sentences(about: lastMove)
    let text =
      texts.first { TextWidth.columns(of: $0) <= columns - start } ?? (start > 0 ? "" : texts[0])
    let place = Position(row: rows.lastMove, column: turn.column + start)
    if start > 0 {
      frame.writeTrailing(text, row: place.row, before: corner.column + columns, style: .dim)
    } else {
      frame.write(text, at: place, style: .dim, width: columns)
    }
  }

  /// The rows of the panel: the score, the turn, the last move, and what remains for the news.
  private struct PanelRows {
    let score: Int
    let turn: Int
    let lastMove: Int
    let rest: Int

    /// The rows from which a panel below the board has room for more than the least.
    private static let lastMoveRows = 5
    private static let tableRows = 8

    init(_ layout: GameLayout, in size: Size) {
      let (top, rows) = (layout.panel.corner.row, layout.panel.size.rows)
      let isLow = layout.isPanelBelow
      let gap = isLow || GameLayout.isTight(size) ? 0 : 1
      score = isLow && rows < Self.tableRows ? 1 : ScorePanel.rows
      turn = top + score + gap
      lastMove = isLow && rows < Self.lastMoveRows ? turn : turn + 1
      rest = lastMove + 1 + gap
    }
  }

  private func drawMessage(into frame: inout Frame) {
    if let cellName { return draw(cellName, into: &frame) }
    let (corner, lines) = messageLines(in: frame.size)
    let style = question == nil ? Style(color: .red, isBold: true) : .bold
    for (index, line) in lines.enumerated() {
      frame.write(line, at: Position(row: corner.row + index, column: corner.column), style: style)
    }
  }

  private static let cellNameLabel = "Go to: "

  private func draw(_ cellName: TextField, into frame: inout Frame) {
    let start = messageArea(in: frame.size).corner
    frame.write(Self.cellNameLabel + cellName.text, at: start, style: .bold)
    frame.cursor = Position(
      row: start.row, column: start.column + Self.cellNameLabel.count + cellName.cursor)
  }

  /// The area of the question or the message: right below the board, or below the last move.
  private func messageArea(in size: Size) -> Area {
    let layout = GameLayout(game, in: size)
    guard layout.isPanelBelow else { return layout.below }
    let top = PanelRows(layout, in: size).rest
    return Area(
      corner: Position(row: top, column: layout.below.corner.column),
      size: Size(rows: layout.below.bottom - top, columns: layout.below.size.columns))
  }

  /// Returns the lines of the question or the message, and their position.
  private func messageLines(in size: Size) -> (corner: Position, lines: ArraySlice<String>) {
    let area = messageArea(in: size)
    if let cellName { return (area.corner, [Self.cellNameLabel + cellName.text]) }
    guard let text = openQuestion ?? message else { return (area.corner, []) }
    return (area.corner, text.wrapped(to: area.size.columns).prefix(area.size.rows))
  }

  private var openQuestion: String? { question.map { "\($0.rawValue) (y/n)" } }

  /// What a person needs first, for a terminal that is too small: the question, or whose turn it
  /// is.
  var summary: String { openQuestion ?? message ?? turnSentences[0] }

  /// What a screen reader says: whose turn it is, what was asked or said, and the last move.
  var spoken: [String] {
    let move = lastMove.flatMap { game.sentences(about: $0).first }
    return [turnSentences[0], openQuestion ?? message, move].compactMap(\.self)
  }

  private var ownMark: Mark? { series.ownMark(at: seat) }

  /// Whose turn it is: the first sentence that fits, or else the beginning of the last one.
  private var turnSentences: [String] {
    guard isConnected else { return ["Not connected"] }
    if let outcome { return [outcome.title(for: ownMark, players: series.players)] }
    guard let turn = board.turn else { return ["The game is over."] }
    let (name, letter) = (series.players[turn].name, turn.letter)
    if ownMark == turn { return ["Your turn: place \(letter)", "Your turn: \(letter)"] }
    return isOwnTurn
      ? ["\(name): place \(letter)", "Place \(letter): \(name)"]
      : ["\(name) to move", "To move: \(name)"]
  }

  private var footer: [KeyHelp] {
    if question != nil { return [KeyHelp("y", "yes"), KeyHelp("any other key", "no")] }
    guard isConnected else { return [KeyHelp("Ctrl-C", "quit"), KeyHelp("?", "keys")] }
    guard seat != .none else { return [KeyHelp("q", "stop watching"), KeyHelp("?", "keys")] }
    guard cellName == nil else { return [KeyHelp("Enter", "go"), KeyHelp("Esc", "cancel")] }
    let digits = game.hasDigits ? " 1–\(game.numbers.upperBound)" : ""
    return [
      KeyHelp("arrows", "move"), KeyHelp("Enter\(digits)", "place"),
      KeyHelp("q", "leave"), KeyHelp("r", "resign"), KeyHelp("?", "keys"),
    ]
  }

  var keys: [KeyHelp] {
    let goal = KeyHelp("to win", game.goal)
    guard seat != .none else { return [goal, KeyHelp("q, Esc", "stop watching")] }
    let unit = game.dropsMarks ? "column" : "cell"
    var keys = [
      goal,
      KeyHelp("arrows, h j k l", "move to a \(unit)"), KeyHelp("Enter, Space", "place your mark"),
      KeyHelp("mouse", "place it where you click"),
    ]
    if game.hasDigits {
      keys.append(KeyHelp("1–\(game.numbers.upperBound)", "place it on that \(unit)"))
    }
    if game.hasLabels { keys.append(KeyHelp("g", "go to a cell by its name, such as h8")) }
    return keys + [KeyHelp("r", "resign this game"), KeyHelp("q, Esc", "leave the match")]
  }
}

/// The area for the news of the match.
extension TicTacToeScene {
  /// Returns the area below the players, the turn and the last move. If the sentence below the
  /// board reaches into that area, the area ends above it or begins below it.
  func newsArea(in size: Size) -> Area {
    let layout = GameLayout(game, in: size)
    let panel = layout.panel
    var top = PanelRows(layout, in: size).rest
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
