import Shared

/// The news of the match, drawn over the current view: a pure value. It also holds the chat message
/// that the person is writing.
struct NewsScene: Equatable {
  /// The effect of a key press.
  enum Effect: Equatable {
    case used, unused
    case say(String)
  }

  var news = MatchNews() { didSet { if !news.isInMatch { draft = nil } } }
  /// Whether chat is hidden. It stays hidden in the next match, until the person shows it again.
  var isMuted = false
  /// The chat message being written; `nil` while none is.
  private(set) var draft: TextField?
  /// Whether the message could not be sent, because there was no connection.
  private(set) var isUnsent = false

  /// Whether the chat can be shown: in a match, and after it as long as there is something to read.
  var canShowChat: Bool { news.isInMatch || hasChat }

  /// Takes every key while a message is being written.
  mutating func press(_ key: Key) -> Effect {
    guard let text = draft?.text else { return .unused }
    switch key {
    case .escape: draft = nil
    case .enter:
      isUnsent = news.lostSince != nil && !text.trimmed.isEmpty
      guard !isUnsent else { return .used }
      draft = nil
      if !text.trimmed.isEmpty { return .say(text) }
    default: _ = draft?.press(key)
    }
    return .used
  }

  /// The keys in the last row.
  var keys: [KeyHelp] {
    let chat = hasChat ? [KeyHelp("T", "chat")] : []
    guard news.isInMatch else { return chat }
    return [KeyHelp("t", "talk")] + chat + [KeyHelp("m", isMuted ? "unmute" : "mute")]
  }

  /// Whether there are messages to read. Those of the last match stay until the next one begins.
  var hasChat: Bool { !isMuted && !news.remarks.isEmpty }

  /// Whether there is something to draw in the area for the news.
  var hasNews: Bool { hasChat || !news.absences.isEmpty }

  /// The time that is left for the move; `nil` if it needs nobody's attention.
  func timeLeft(at now: Duration) -> Duration? {
    news.deadline.map { $0 - now }.flatMap { $0 <= MatchNews.maxShownTime ? $0 : nil }
  }

  mutating func stopWriting() {
    draft = nil
  }

  mutating func beginWriting() {
    isUnsent = false
    if news.isInMatch { draft = TextField(maxLength: ProtocolLimits.maxMessageLength) }
  }
}

/// The drawing.
extension NewsScene {
  /// The second line of a message must not look like another message.
  private static let indent = 2
  private static let minColumns = 2 + indent
  /// The number of rows from which one may stay blank.
  private static let roomyRows = 6

  /// `area` is the part of the screen that the view leaves free; `nil` if it leaves none.
  func draw(into frame: inout Frame, area: Area?, now: Duration) {
    if let area, area.size.columns >= Self.minColumns { draw(into: &frame, in: area, now: now) }
    if let match = news.match { drawHeader(of: match, into: &frame) }
    drawOverChat(into: &frame, now: now)
  }

  /// Draws the connection, the end of the server, and the message that is being written.
  func drawOverChat(into frame: inout Frame, now: Duration) {
    if news.lostSince != nil {
      drawBanner(into: &frame, news.lossTexts(at: now))
    } else if let serverEnd = news.serverEnd {
      drawBanner(into: &frame, end: serverEnd - now)
    }
    if let draft { draw(draft, into: &frame) }
  }

  /// If there is not enough room for all, the header shows that chat is muted, then the number of
  /// spectators, and last the match.
  private func drawHeader(of match: String, into frame: inout Frame) {
    let spectators = news.spectatorCount > 0 ? "\(news.spectatorCount) watching" : nil
    let parts = [isMuted ? "chat muted" : nil, spectators, "match \(match)"].compactMap(\.self)
    let texts = parts.indices.reversed().map { parts[...$0].reversed().joined(separator: " · ") }
    _ = texts.first { frame.writeInHeader($0) }
  }

  /// Draws the times first, then as much of the chat as fits.
  private func draw(into frame: inout Frame, in area: Area, now: Duration) {
    var lines: [(text: String, style: Style)] = []
    if news.deadline != nil { frame.hasClock = true }
    if let timeLeft = timeLeft(at: now) {
      let isLow = timeLeft <= LowTimeAlarm.lead
      lines.append(("Time: \(timeLeft.clock)", isLow ? Style(isBold: true) : .plain))
    }
    for (index, absence) in news.absences.enumerated() {
      frame.hasClock = true
      let sentence = absence.sentence(at: now)
      let wrapped = sentence.wrapped(to: area.size.columns, indent: Self.indent)
      let others = news.absences.count - index - 1
      let fits = lines.count + wrapped.count + others <= area.size.rows
      lines += (fits ? wrapped : [sentence]).map { ($0, .bold) }
    }
    // A blank row is worth less than a line of chat.
    let gap = lines.isEmpty || area.size.rows < Self.roomyRows ? 0 : 1
    let room = area.size.rows - lines.count - gap
    let chat = isMuted ? [] : chatLines(Size(rows: max(0, room), columns: area.size.columns))
    if !chat.isEmpty, gap > 0 { lines.append(("", .plain)) }
    lines += chat.map { ($0, .plain) }
    for (index, line) in lines.prefix(area.size.rows).enumerated() {
      frame.write(
        line.text, at: Position(row: area.corner.row + index, column: area.corner.column),
        style: line.style, width: area.size.columns)
    }
  }

  /// The latest messages. Of one that does not fit, its beginning is shown, with the name: the rest
  /// alone could look like words of the client.
  private func chatLines(_ size: Size) -> [String] {
    var chat: [String] = []
    for remark in news.remarks.reversed() {
      let room = size.rows - chat.count
      guard room > 0 else { break }
      var lines = remark.sentence.wrapped(to: size.columns, indent: Self.indent)
      if lines.count > room {
        lines = Array(lines.prefix(room))
        // Text that is too wide ends with the same character.
        lines[room - 1] += "…"
      }
      chat = lines + chat
    }
    return chat
  }

  private func drawBanner(into frame: inout Frame, end time: Duration) {
    frame.hasClock = true
    let text = "  The server stops in \(time.clock)  "
    let width = min(TextWidth.columns(of: text), frame.size.columns)
    frame.write(
      text, at: Position(row: 0, column: (frame.size.columns - width) / 2),
      style: Style(isBold: true, isReversed: true), width: width)
  }

  private func drawBanner(into frame: inout Frame, _ losses: [String]) {
    let texts = (losses.prefix(1).map { "\($0) Ctrl-C quits" } + losses).map { "  \($0) " }
    let fitting = texts.first { TextWidth.columns(of: $0) <= frame.size.columns }
    guard let text = fitting ?? texts.last else { return }
    let width = min(TextWidth.columns(of: text), frame.size.columns)
    let column = (frame.size.columns - width) / 2
    let style = Style(isBold: true, isReversed: true)
    // What is left of the header would read as a part of the sentence.
    if (column..<column + width).contains(where: { frame[0, $0] != .blank }) {
      frame.fill(at: Position(row: 0, column: 0), size: Size(rows: 1, columns: frame.size.columns))
    }
    frame.write(text, at: Position(row: 0, column: column), style: style, width: width)
    frame.writeSpinner(at: Position(row: 0, column: column), style: style)
  }

  /// Draws the message being written above the keys.
  private func draw(_ draft: TextField, into frame: inout Frame) {
    let (row, columns) = (frame.size.rows - 2, frame.size.columns)
    let label = isUnsent ? "Not sent yet: " : "Say: "
    for row in [row, row + 1] {
      frame.fill(at: Position(row: row, column: 0), size: Size(rows: 1, columns: columns))
    }
    frame.write(label, at: Position(row: row, column: 1), style: .bold)
    let visible = draft.visible(in: columns - label.count - 2)
    frame.write(visible.text, at: Position(row: row, column: 1 + label.count))
    frame.cursor = Position(row: row, column: 1 + label.count + visible.cursorColumn)
    frame.writeFooter([KeyHelp("Enter", "send"), KeyHelp("Esc", "cancel")])
  }
}
