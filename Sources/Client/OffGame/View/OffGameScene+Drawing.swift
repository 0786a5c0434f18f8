import Shared

/// The drawing: the list at the left, the last game at the right.
extension OffGameScene {
  static let minimumSize = Size(rows: 15, columns: 50)
  /// The first row of the list, and the number of rows below it.
  private static let top = 3
  private static let rowsBelow = 6

  func draw(into frame: inout Frame, now: Duration) {
    let panel = panel(in: frame.size)
    frame.writeHeader("Tic Tac Toe", panel?.hasScore == true ? people : scoreText ?? people)
    let columns = panel?.column ?? frame.size.columns
    drawTitle(panel == nil ? outcomeText + title : title, into: &frame, columns: columns, now: now)
    drawInvitation(into: &frame, columns: columns)
    list(in: frame.size).draw(into: &frame)
    panel?.draw(into: &frame)
    drawNotices(into: &frame, beside: panel)
    frame.writeFooter(footer)
  }

  /// Returns the item at a position on the screen.
  func item(at position: Position, in size: Size) -> OffGameItem? {
    list(in: size).item(at: position)
  }

  private func panel(in size: Size) -> LastGamePanel? {
    lastGame.flatMap { game in
      let score = series.map { ScorePanel(series: $0, own: $0.ownMark(at: game.seat)) }
      return LastGamePanel(game, score: score, in: size)
    }
  }

  private func list(in size: Size) -> OffGameList {
    let columns = (panel(in: size)?.column ?? size.columns) - 4
    return OffGameList(
      rows: rows, selection: selection, corner: Position(row: Self.top, column: 2),
      size: Size(rows: size.rows - Self.top - Self.rowsBelow, columns: columns))
  }

  private var people: String { names.joined(separator: " and ") }

  /// The score on one line, for a screen without room for the table.
  private var scoreText: String? {
    series.map { series in
      let (players, score) = (series.players, series.score)
      return "\(players.x.name) \(score.x) · \(players.o.name) \(score.o) · draws \(score.draws)"
    }
  }

  /// The result before the title, for a screen without room for the board.
  private var outcomeText: String {
    guard isInMatch, let lastGame else { return "" }
    return lastGame.outcome.sentence(players: lastGame.players) + " "
  }

  private var title: String {
    if let request { return "Asking for a game with \(request.phrase) …" }
    switch status {
    case .lobby: return isLocal ? "How do you want to play?" : "Whom do you want to play?"
    case .waiting(let opponent): return "Waiting for \(opponent ?? "anyone") …"
    case .betweenGames(_, hasAsked: true): return "Waiting for \(opponent ?? "the other") …"
    case .betweenGames: return "Another game?"
    case .watching: return "You are watching. The next game appears when it begins."
    }
  }

  private func drawTitle(
    _ title: String, into frame: inout Frame, columns: Int, now: Duration
  ) {
    let start = Position(row: Self.top - 2, column: 2)
    guard status.isWaiting || request != nil else {
      frame.write(title, at: start, style: .bold, width: columns - 4)
      return
    }
    frame.writeSpinner(at: start, style: .bold)
    let used = frame.write(
      title, at: Position(row: start.row, column: 4), style: .bold, width: columns - 14)
    guard let since else { return }
    let whole = Duration.seconds((now - since).components.seconds)
    frame.write(whole.clock, at: Position(row: start.row, column: 5 + used), style: .dim)
  }

  /// Draws the first invitation between the title and the list.
  private func drawInvitation(into frame: inout Frame, columns: Int) {
    guard let invitation = invitations.first else { return }
    let action = isInMatch ? "wants another game" : "invites you"
    let more = invitations.count > 1 ? ", and \(invitations.count - 1) more" : ""
    let key = ": press a to play "
    let start = Position(row: Self.top - 1, column: 2)
    let style = Style(isBold: true, isReversed: true)
    let used = frame.write(
      " \(invitation.from) \(action)\(more)", at: start, style: style,
      width: columns - 4 - key.count)
    frame.write(key, at: Position(row: start.row, column: start.column + used), style: style)
  }

  /// Draws the notices above the keys, the latest one in full.
  private func drawNotices(into frame: inout Frame, beside panel: LastGamePanel?) {
    let top = frame.size.rows - 2 - Self.maxNotices
    let end = panel.flatMap { top < $0.bottom ? $0.column : nil } ?? frame.size.columns
    var lines = notices.dropLast().map { ($0, Style.dim) }
    lines += (notices.last?.wrapped(to: end - 3, indent: 2) ?? []).map { ($0, .bold) }
    lines = lines.suffix(Self.maxNotices)
    for (index, line) in lines.enumerated() {
      let start = Position(row: frame.size.rows - 2 - lines.count + index, column: 2)
      frame.write(line.0, at: start, style: line.1, width: end - 3)
    }
  }
}

/// The meanings of the keys.
extension OffGameScene {
  private var footer: [KeyHelp] {
    var keys = status.isWaiting ? [KeyHelp("Esc", "stop waiting")] : []
    if !invitations.isEmpty { keys.append(KeyHelp("a", "accept")) }
    keys += [KeyHelp("arrows, mouse", "choose"), KeyHelp("Enter", "go")]
    if canChangeGame { keys.append(KeyHelp("g", "another game")) }
    return keys + [KeyHelp("q", isInMatch ? "leave" : "quit"), KeyHelp("?", "keys")]
  }

  var keys: [KeyHelp] {
    var keys = [
      KeyHelp("arrows, j k", "choose what to do"), KeyHelp("Enter, Space", "do it"),
      KeyHelp("mouse", "do what you click on"),
    ]
    if status.isWaiting { keys.append(KeyHelp("Esc", "stop waiting")) }
    if !invitations.isEmpty { keys.append(KeyHelp("a", "accept the invitation")) }
    if canChangeGame { keys.append(KeyHelp("g", "choose another game")) }
    if status == .lobby { keys.append(KeyHelp("l", "choose the bot's level")) }
    return keys + [KeyHelp("q", isInMatch ? "leave the match" : "end the program")]
  }

  private var canChangeGame: Bool { chosenGame != nil && status == .lobby }
}
