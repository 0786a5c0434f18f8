import Shared

/// What goes on around the match, drawn over the picture of the screen's view: a pure value.
struct NewsScene: Equatable {
  /// A part of the screen.
  struct Area: Equatable {
    let corner: Position
    let size: Size
  }

  /// What becomes of a key.
  enum Effect: Equatable {
    case used, unused
    case say(String)
  }

  var news = MatchNews() { didSet { if !news.isInMatch { input = nil } } }
  /// Whether chat is not shown; stays so until the person changes it, also in the next match.
  var isMuted = false
  /// What is being written; `nil` while nothing is.
  private(set) var input: String?
  /// Whether it could not be said before, as there was no connection.
  private(set) var isUnsent = false

  /// Takes all keys while something is written.
  mutating func press(_ key: Key) -> Effect {
    guard let input else { return .unused }
    switch key {
    case .escape: self.input = nil
    case .enter:
      isUnsent = news.lostSince != nil && !input.trimmed.isEmpty
      guard !isUnsent else { return .used }
      self.input = nil
      if !input.trimmed.isEmpty { return .say(input) }
    case .backspace: self.input = String(input.dropLast())
    case .control("u"): self.input = ""
    case .character(let character):
      let text = input + String(character)
      if text.unicodeScalars.count <= ProtocolLimits.maxMessageLength { self.input = text }
    default: break
    }
    return .used
  }

  /// What the keys of the last row do.
  var keys: [KeyHelp] {
    guard news.isInMatch else { return [] }
    return [KeyHelp("m", isMuted ? "unmute" : "mute"), KeyHelp("t", "talk")]
  }

  mutating func beginWriting() {
    isUnsent = false
    if news.isInMatch { input = "" }
  }
}

/// The picture.
extension NewsScene {
  /// The second line of a remark must not look like another one.
  private static let indent = 2
  private static let leastColumns = 2 + indent

  /// `area` is where the view below leaves room, where it does.
  func draw(into frame: inout Frame, area: Area?, now: Duration) {
    if let area, area.size.columns >= Self.leastColumns { draw(into: &frame, in: area, now: now) }
    if let match = news.match { drawHeader(of: match, into: &frame) }
    if let lostSince = news.lostSince { drawBanner(into: &frame, lost: now - lostSince) }
    if let input { draw(input: input, into: &frame) }
  }

  /// That chat is muted must be seen also where there is no room for the match.
  private func drawHeader(of match: String, into frame: inout Frame) {
    let title = "match \(match)"
    let texts = isMuted ? ["\(title) · chat muted", "chat muted"] : [title]
    _ = texts.first { frame.writeInHeader($0) }
  }

  /// First the times, then as much of the chat as there is room for.
  private func draw(into frame: inout Frame, in area: Area, now: Duration) {
    var lines: [(text: String, style: Style)] = []
    if let deadline = news.deadline {
      frame.hasClock = true
      let left = deadline - now
      lines.append(("Time: \(left.clock)", left < .seconds(10) ? Style(isBold: true) : .plain))
    }
    for absence in news.absences {
      frame.hasClock = true
      lines.append((absence.sentence(at: now), .bold))
    }
    let room = area.size.rows - lines.count - (lines.isEmpty ? 0 : 1)
    let remarks = isMuted ? [] : news.remarks.suffix(max(0, room))
    let chat = remarks.flatMap { remark in
      remark.sentence.wrapped(to: area.size.columns, indent: Self.indent)
    }
    if room > 0, !chat.isEmpty, !lines.isEmpty { lines.append(("", .plain)) }
    lines += chat.suffix(max(0, room)).map { ($0, .plain) }
    for (index, line) in lines.prefix(area.size.rows).enumerated() {
      frame.write(
        line.text, at: Position(row: area.corner.row + index, column: area.corner.column),
        style: line.style, width: area.size.columns)
    }
  }

  private func drawBanner(into frame: inout Frame, lost time: Duration) {
    let text = "  Connection lost. Reconnecting … (\(time.components.seconds) s) Ctrl-C ends "
    let width = min(TextWidth.columns(of: text), frame.size.columns)
    let column = (frame.size.columns - width) / 2
    let style = Style(isBold: true, isReversed: true)
    frame.write(text, at: Position(row: 0, column: column), style: style, width: width)
    frame.writeSpinner(at: Position(row: 0, column: column), style: style)
  }

  /// Above the keys; of a long remark its end is seen.
  private func draw(input: String, into frame: inout Frame) {
    let (row, columns) = (frame.size.rows - 2, frame.size.columns)
    let label = isUnsent ? "Not said yet: " : "Say: "
    var shown = input[...]
    while TextWidth.columns(of: String(shown)) > columns - label.count - 2 { shown.removeFirst() }
    for row in [row, row + 1] {
      frame.fill(at: Position(row: row, column: 0), size: Size(rows: 1, columns: columns))
    }
    frame.write(label, at: Position(row: row, column: 1), style: .bold)
    let used = frame.write(String(shown), at: Position(row: row, column: 1 + label.count))
    frame.cursor = Position(row: row, column: 1 + label.count + used)
    frame.writeFooter([KeyHelp("Enter", "say it"), KeyHelp("Esc", "do not")])
  }
}
