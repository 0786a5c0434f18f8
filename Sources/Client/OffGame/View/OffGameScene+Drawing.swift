import Shared

/// The drawing.
extension OffGameScene {
  /// The rows that the list has at least beside a board, in a match and after it.
  private static let minListRows = 3
  private static let minLobbyRows = 6

  func draw(into frame: inout Frame, now: Duration) {
    let layout = layout(in: frame.size)
    let title = shownGame?.game.name ?? "Tic Tac Toe"
    let people = names.joined(separator: " and ")
    let scores = layout.score == nil ? scoreTexts : []
    let room = frame.size.columns - TextWidth.columns(of: title) - 4
    frame.writeHeader(
      title, scores.first { TextWidth.columns(of: $0) <= room } ?? scores.last ?? people)
    drawLastGame(into: &frame, at: layout)
    drawTitle(into: &frame, in: layout.title, now: now)
    let invitation = invitationLines(
      layout.invitation.size.columns, isWrapped: layout.board != nil)
    for (index, line) in invitation.enumerated() {
      frame.write(
        line, at: layout.invitation.corner.moved(down: index),
        style: Style(isBold: true, isReversed: true))
    }
    if !invitations.isEmpty || !notices.isEmpty || confirmation != nil { frame.hasClock = true }
    list(at: layout, now: now).draw(into: &frame)
    let noticeLines = noticeLines(layout.notices.size.columns).suffix(layout.notices.size.rows)
    for (index, line) in noticeLines.enumerated() {
      frame.write(
        line.text, at: layout.notices.corner.moved(down: index), style: line.style,
        width: layout.notices.size.columns)
    }
    frame.writeFooter(footer)
  }

  func item(at position: Position, in size: Size) -> OffGameItem? {
    list(at: layout(in: size)).item(at: position)
  }

  func listRows(in size: Size) -> Int { layout(in: size).list.size.rows }

  /// The free area for the news of the match, in a match and on the screen of its result.
  func newsArea(in size: Size) -> Area? {
    isInMatch || shownGame != nil ? layout(in: size).news : nil
  }

  private func layout(in size: Size) -> OffGameLayout {
    let maxListRows = isInMatch ? rows.count : nil
    return layoutWithBoard(in: size, maxListRows: maxListRows)
      ?? OffGameLayout(
        in: size,
        resultLines: shownGame == nil ? 0 : 1 + reasonLines(size.columns - 4).count,
        titleLines: titleLines(size.columns - 4).count, hasInvitation: !invitations.isEmpty,
        noticeLines: noticeLines(size.columns - 3).count,
        maxListRows: maxListRows)
  }

  /// The layout with the board of the last game; `nil` without one, and if it does not fit.
  private func layoutWithBoard(in size: Size, maxListRows: Int?) -> OffGameLayout? {
    guard let shownGame else { return nil }
    // In the lobby the list is worth more than the score.
    let minListRows = min(rows.count, status == .lobby ? Self.minLobbyRows : Self.minListRows)
    return OffGameLayout(
      after: shownGame.game, in: size, minListRows: minListRows, maxListRows: maxListRows
    ) { part, columns in
      switch part {
      case .news: hasNews ? 1 : 0
      case .score: lastSeries == nil ? 0 : ScorePanel.rows
      case .reason: reasonLines(columns).count
      case .title: titleLines(columns).count
      case .invitation: invitationLines(columns, isWrapped: true).count
      case .notices: noticeLines(columns).count
      }
    }
  }

  private func list(at layout: OffGameLayout, now: Duration? = nil) -> OffGameList {
    var rows = rows(at: now)
    if friend != nil {
      // What a friend needs must not be cut off.
      let separate = Self.wrapped(rows, to: layout.list.size.columns)
      rows =
        separate.count > layout.list.size.rows
        ? Self.wrapped(Self.joined(rows), to: layout.list.size.columns) : separate
    }
    return OffGameList(
      rows: rows, selection: selection, corner: layout.list.corner, size: layout.list.size)
  }

  private static func wrapped(_ rows: [OffGameList.Row], to columns: Int) -> [OffGameList.Row] {
    rows.flatMap { row in
      row.item == nil ? row.text.wrapped(to: columns).map { OffGameList.Row(text: $0) } : [row]
    }
  }

  /// Joins each text that ends with a colon with the next one.
  private static func joined(_ rows: [OffGameList.Row]) -> [OffGameList.Row] {
    rows.reduce(into: []) { joined, row in
      if row.item == nil, let last = joined.last, last.text.hasSuffix(":") {
        joined[joined.count - 1] = OffGameList.Row(text: "\(last.text) \(row.text)")
      } else {
        joined.append(row)
      }
    }
  }

  /// The score on one line, for a screen without room for the table; the longest text first.
  private var scoreTexts: [String] {
    guard let series else { return [] }
    let (players, score) = (series.players, series.score)
    let short = "\(players.x.name) \(score.x) · \(players.o.name) \(score.o)"
    return ["\(short) · draws \(score.draws)", short]
  }

  private func drawLastGame(into frame: inout Frame, at layout: OffGameLayout) {
    guard let shownGame, let result = layout.result else { return }
    if let board = layout.board {
      BoardPicture(
        game: shownGame.game, board: shownGame.board, lastMove: shownGame.board.lastMove?.cell,
        line: shownGame.outcome.line ?? []
      ).draw(into: &frame, at: board)
    }
    let (players, columns) = (shownGame.players, result.size.columns)
    frame.fill(at: result.corner, size: result.size, style: .reversed)
    frame.writeCentered(
      shownGame.outcome.title(
        for: Series(players).ownMark(at: shownGame.seat), players: players),
      row: result.corner.row + result.size.rows / 2,
      columns: result.corner.column..<result.corner.column + columns,
      style: Style(isBold: true, isReversed: true))
    for (index, line) in reasonLines(columns).enumerated() {
      frame.write(
        line, at: Position(row: result.bottom + index, column: result.corner.column))
    }
    guard let score = layout.score, let lastSeries else { return }
    ScorePanel(series: lastSeries, own: lastSeries.ownMark(at: shownGame.seat))
      .draw(into: &frame, at: score.corner, columns: columns)
  }
}

/// The texts, in lines of up to some columns.
extension OffGameScene {
  private static let maxReasonLines = 2
  private static let maxTitleLines = 3
  private static let maxInvitationLines = 2

  /// How the last game ended, unless the board shows it.
  private func reasonLines(_ columns: Int) -> [String] {
    guard let shownGame, ![.line, .full].contains(shownGame.outcome.reason) else { return [] }
    let own = Series(shownGame.players).ownMark(at: shownGame.seat)
    let sentence = shownGame.outcome.sentence(for: own, players: shownGame.players)
    return Array(sentence.wrapped(to: columns).prefix(Self.maxReasonLines))
  }

  /// What a person needs first, for a terminal that is too small.
  var summary: [String] {
    let result = shownGame.map { game in
      game.outcome.title(for: Series(game.players).ownMark(at: game.seat), players: game.players)
    }
    return [result, title].compactMap(\.self)
  }

  /// What a screen reader says: the summary, and the move that has ended the game.
  var spoken: [String] {
    let move = shownGame.flatMap { shown in
      shown.board.lastMove.flatMap { shown.game.sentences(about: $0).first }
    }
    return summary + [move].compactMap(\.self)
  }

  private var title: String {
    if let offer { return "\(offer.player) is playing. Watch the match? (y/n)" }
    guard isConnected else { return "Not connected" }
    if isChoosingGame { return "Which game do you want to play?" }
    if let request { return "Asking for a game with \(request.phrase) …" }
    switch status {
    case .lobby: return isLocal ? "How do you want to play?" : "Whom do you want to play?"
    case .waiting(_, _?): return "Waiting for your friend …"
    case .waiting(let opponent, nil): return "Waiting for \(opponent ?? "anyone") …"
    case .betweenGames(_, hasAsked: true): return "Waiting for \(opponent ?? "the other") …"
    case .betweenGames: return "Another game?"
    case .watching: return "You are watching. The next game appears when it begins."
    }
  }

  private var isTitleMoving: Bool {
    offer == nil && (status.isWaiting || request != nil || !isConnected)
  }

  private func titleLines(_ columns: Int) -> [String] {
    // The invitation asks the same question.
    if case .betweenGames(_, hasAsked: false) = status, !invitations.isEmpty, isConnected {
      return []
    }
    if offer == nil, filter != nil || code != nil || isTitleMoving { return [title] }
    if let offer, shownGame == nil, TextWidth.columns(of: title) > columns {
      return ["Watch \(offer.player)? (y/n)"]
    }
    return Array(title.wrapped(to: columns).prefix(Self.maxTitleLines))
  }

  private func drawTitle(into frame: inout Frame, in area: Area, now: Duration) {
    let (start, columns) = (area.corner, area.size.columns)
    if let field = code ?? filter, offer == nil {
      let label = code == nil ? "Find: " : "Your friend's code: "
      let visible = field.visible(in: columns - label.count)
      frame.write(label + visible.text, at: start, style: .bold)
      frame.cursor = Position(
        row: start.row, column: start.column + label.count + visible.cursorColumn)
      return
    }
    guard isTitleMoving else {
      for (index, line) in titleLines(columns).enumerated() {
        let style = offer == nil ? Style.bold : Style(color: .red, isBold: true)
        frame.write(line, at: start.moved(down: index), style: style, width: columns)
      }
      return
    }
    frame.writeSpinner(at: start, style: .bold)
    let hasClock = since != nil && isConnected
    let used = frame.write(
      title, at: Position(row: start.row, column: start.column + 2), style: .bold,
      width: columns - 2 - (hasClock ? 5 : 0))
    guard let since, hasClock else { return }
    let whole = Duration.seconds((now - since).components.seconds)
    frame.write(
      whole.clock, at: Position(row: start.row, column: start.column + 3 + used), style: .dim)
  }

  /// The invitation that the keys accept and decline: in one line, or wrapped beside a board.
  private func invitationLines(_ columns: Int, isWrapped: Bool) -> [String] {
    guard let invitation = currentInvitation else { return [] }
    let action = isInMatch ? "wants another game" : "invites you"
    let more = invitations.count > 1 ? ", and \(invitations.count - 1) more" : ""
    let keys = ": a accepts, d declines"
    let name = " \(invitation.from)"
    guard isWrapped else {
      let texts = ["\(name) \(action)\(more)\(keys) ", "\(name) \(action)\(keys) ", name + keys]
      let text = texts.first { TextWidth.columns(of: $0) <= columns }
      return [text ?? name.cut(to: columns - keys.count) + keys]
    }
    let text = "\(name) \(action)\(more)\(keys)"
    return Array(text.trimmed.wrapped(to: columns).prefix(Self.maxInvitationLines))
  }

  /// The notices, the latest one in full.
  private func noticeLines(_ columns: Int) -> [(text: String, style: Style)] {
    let notices = notices.texts + [confirmation].compactMap(\.self)
    var lines = notices.dropLast().map { ($0, Style.dim) }
    var latest = notices.last?.wrapped(to: max(4, columns), indent: 2) ?? []
    if latest.count > Notices.maxCount {
      latest = Array(latest.prefix(Notices.maxCount))
      latest[latest.count - 1] += "…"
    }
    lines += latest.map { ($0, .bold) }
    return lines.suffix(Notices.maxCount)
  }
}

extension String {
  /// The text, up to some columns; if it is longer, it ends in “…”.
  fileprivate func cut(to columns: Int) -> String {
    var text = self
    while TextWidth.columns(of: text) > max(0, columns - 1), !text.isEmpty { text.removeLast() }
    return text + "…"
  }
}

extension Position {
  fileprivate func moved(down rows: Int) -> Position {
    Position(row: row + rows, column: column)
  }
}
