import Shared

/// The picture: at the left what can be chosen, at the right the last game.
extension OffGameScene {
  static let minimumSize = Size(rows: 15, columns: 50)
  private static let leastListColumns = 34
  /// The first row of the list, and how many rows stand below it.
  private static let top = 3
  private static let rowsBelow = 5

  /// A row of the list.
  private enum Row {
    case item(OffGameItem, text: String, remark: String)
    case heading(String)
    case blank
  }

  func draw(into frame: inout Frame, now: Duration) {
    frame.writeHeader("Tic Tac Toe", names.joined(separator: " and "))
    let columns = listColumns(in: frame.size)
    drawTitle(into: &frame, columns: columns, now: now)
    drawList(into: &frame, columns: columns)
    if columns < frame.size.columns { drawLastGame(into: &frame, from: columns) }
    for (index, notice) in notices.enumerated() {
      let row = frame.size.rows - 2 - notices.count + index
      frame.write(
        notice, at: Position(row: row, column: 2),
        style: index == notices.count - 1 ? .bold : .dim, width: frame.size.columns - 3)
    }
    frame.writeFooter(footer)
  }

  /// The item on whose row a position is.
  func item(at position: Position, in size: Size) -> OffGameItem? {
    guard position.row >= Self.top, position.column < listColumns(in: size) else { return nil }
    let rows = visibleRows(in: size)
    let index = position.row - Self.top
    guard rows.indices.contains(index), case .item(let item, _, _) = rows[index] else { return nil }
    return item
  }

  private var lastLayout: BoardLayout? {
    lastGame.map { game in
      BoardLayout(
        game.board.shape, at: Position(row: Self.top + 1, column: 0),
        in: Size(rows: game.board.shape.rows * 2 + 1, columns: game.board.shape.columns * 4 + 1))
    }
  }

  /// How wide the left part is; all of the screen where the last game has no room.
  private func listColumns(in size: Size) -> Int {
    guard let lastLayout else { return size.columns }
    let right = max(lastLayout.size.columns, ScorePanel.minimumColumns) + 4
    let left = size.columns - right
    return left >= Self.leastListColumns ? left : size.columns
  }

  private func drawTitle(into frame: inout Frame, columns: Int, now: Duration) {
    let place = Position(row: Self.top - 2, column: 2)
    guard status.isWaiting || request != nil else {
      frame.write(title, at: place, style: .bold, width: columns - 4)
      return
    }
    frame.writeSpinner(at: place, style: .bold)
    let used = frame.write(
      title, at: Position(row: place.row, column: 4), style: .bold, width: columns - 14)
    guard let since else { return }
    let seconds = max(0, (now - since).components.seconds)
    let clock = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    frame.write(clock, at: Position(row: place.row, column: 5 + used), style: .dim)
  }

  private var title: String {
    if let request { return "Asking for a game with \(request.phrase) …" }
    switch status {
    case .lobby: return "Whom do you want to play?"
    case .waiting(let opponent): return "Waiting for \(opponent ?? "anyone") …"
    case .betweenGames(_, hasAsked: true): return "Waiting for \(opponent ?? "the other") …"
    case .betweenGames: return "The game is over. One more?"
    }
  }

  private func drawList(into frame: inout Frame, columns: Int) {
    let selection = selection
    for (index, row) in visibleRows(in: frame.size).enumerated() {
      let place = Position(row: Self.top + index, column: 2)
      switch row {
      case .blank: break
      case .heading(let text): frame.write(text, at: place, style: .dim, width: columns - 4)
      case .item(let item, let text, let remark):
        let isSelected = item == selection
        let style = isSelected ? Style.reversed : .plain
        let width = min(columns - 4, 44)
        frame.fill(at: place, size: Size(rows: 1, columns: width), style: style)
        if isSelected { frame.put("▸", at: place, style: style) }
        let room = width - 3 - TextWidth.columns(of: remark)
        frame.write(
          text, at: Position(row: place.row, column: place.column + 2), style: style, width: room)
        frame.writeTrailing(
          remark, row: place.row, before: place.column + width - 1,
          style: isSelected ? .reversed : .dim)
      }
    }
  }

  /// The part of the list that there is room for, with the selection in it.
  private func visibleRows(in size: Size) -> [Row] {
    let rows = rows
    let room = max(1, size.rows - Self.top - Self.rowsBelow)
    let selection = selection
    let index = rows.firstIndex { row in
      if case .item(let item, _, _) = row { item == selection } else { false }
    }
    let first = min(max(0, (index ?? 0) - room + 1), max(0, rows.count - room))
    return Array(rows.dropFirst(first).prefix(room))
  }

  private var rows: [Row] {
    var rows = items.map { Row.item($0, text: text(of: $0), remark: remark(on: $0)) }
    guard !isLocal, let players else { return rows }
    switch status {
    case .lobby:
      rows.insert(contentsOf: [.blank, .heading(heading)], at: items.count - others.count)
    case .waiting:
      rows += [.blank, .heading(heading)]
      rows += others.map { .heading("  \($0.name) (\($0.place.phrase))") }
    case .betweenGames: return rows
    }
    if players.more > 0 { rows.append(.heading("  and \(players.more) more")) }
    return rows
  }

  private var heading: String { others.isEmpty ? "Nobody else is here now." : "Here now:" }

  private func text(of item: OffGameItem) -> String {
    switch item {
    case .accept(let from, let game):
      let name = offers.count > 1 ? offers.first { $0.game.id == game }?.game.name : nil
      return "\(from) invites you" + (name.map { " to \($0)" } ?? "") + ": play"
    case .anyone: return isLocal ? "Play one another" : "Play anyone"
    case .bot: return "Play the bot"
    case .player(let name): return name
    case .nextGame: return "Play the next game"
    case .cancel: return "Stop waiting"
    case .leaveMatch: return "Leave the match"
    }
  }

  private func remark(on item: OffGameItem) -> String {
    switch item {
    case .player(let name):
      return others.first { $0.name == name }?.place.phrase ?? ""
    case .nextGame:
      return invitations.contains { $0.from == opponent } ? "\(opponent ?? "") wants it" : ""
    case .anyone: return chosenGame?.name ?? ""
    case .accept, .bot, .cancel, .leaveMatch: return ""
    }
  }

  private func drawLastGame(into frame: inout Frame, from column: Int) {
    guard let lastGame, let lastLayout else { return }
    let columns = frame.size.columns - column - 1
    frame.write(
      lastGame.outcome.sentence(players: lastGame.players, shape: lastGame.board.shape),
      at: Position(row: Self.top - 2, column: column), style: .bold, width: columns)
    let layout = BoardLayout(
      lastGame.board.shape, at: Position(row: Self.top, column: column), in: lastLayout.size)
    BoardPicture(board: lastGame.board, line: lastGame.outcome.line ?? [])
      .draw(into: &frame, at: layout)
    guard let series else { return }
    let below = Position(row: Self.top + lastLayout.size.rows + 1, column: column)
    guard below.row + ScorePanel.rows < frame.size.rows - 1 else { return }
    ScorePanel(series: series, own: ownMark(in: series))
      .draw(into: &frame, at: below, columns: min(columns, 34))
  }

  private func ownMark(in series: Series) -> Mark? {
    isLocal ? nil : Mark.allCases.first { names.contains(series.players[$0].name) }
  }

  private var footer: [KeyHelp] {
    var keys = [KeyHelp("arrows, mouse", "choose"), KeyHelp("Enter", "go")]
    if status.isWaiting { keys.append(KeyHelp("Esc", "stop waiting")) }
    if chosenGame != nil, status == .lobby { keys.append(KeyHelp("g", "another game")) }
    return keys + [KeyHelp("q", isInMatch ? "leave" : "quit"), KeyHelp("?", "keys")]
  }

  private var isInMatch: Bool {
    if case .betweenGames = status { true } else { false }
  }

  var keys: [KeyHelp] {
    [
      KeyHelp("arrows, j k, mouse", "choose what to do"),
      KeyHelp("Enter, Space, click", "do it"),
      KeyHelp("Esc", "stop waiting"),
      KeyHelp("g", "choose another game, where there are several"),
      KeyHelp("q", "leave the match; in the lobby, end the program"),
    ]
  }
}

extension Opponent {
  /// For people.
  var phrase: String {
    switch self {
    case .anyone: "anyone"
    case .bot: "the bot"
    case .player(let name): name
    }
  }
}

extension SessionPlace {
  /// What somebody who is there does, for people.
  var phrase: String {
    switch self {
    case .lobby: "free"
    case .waiting: "waits for a game"
    case .playing: "plays"
    case .watching: "watches"
    }
  }
}
