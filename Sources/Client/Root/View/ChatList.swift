import Shared

/// All messages of the chat, over the whole screen: a pure value. A list that does not fit scrolls.
/// At its end it follows new messages.
struct ChatList: Equatable {
  /// The index of the top line; `nil` follows the end.
  private var top: Int?

  private static let listTop = 2
  /// The rows of the header and the last row, with one beside each.
  private static let otherRows = 4
  /// The second line of a message must not look like another message.
  private static let indent = 2

  /// Scrolls. Returns `false` for a key that closes the list.
  mutating func press(_ key: Key, remarks: [MatchNews.Remark], in size: Size) -> Bool {
    let rows = Self.rows(in: size)
    let last = max(0, Self.lines(of: remarks, in: size).count - rows)
    if let steps = key.scrollRows(page: max(1, rows - 1), count: last) {
      let first = min(top ?? last, last) + steps
      top = first < last ? max(0, first) : nil
    }
    return ![.escape, .character("q"), .character("T")].contains(key)
  }

  /// `status` is what the person must know besides, such as whose turn it is.
  func draw(
    into frame: inout Frame, remarks: [MatchNews.Remark], isMuted: Bool, status: String,
    keys: [KeyHelp]
  ) {
    frame.fill(at: Position(row: 0, column: 0), size: frame.size)
    frame.cursor = nil
    frame.writeHeader("Chat", status)
    let lines =
      isMuted
      ? ["Chat is muted."]
      : remarks.isEmpty
        ? ["Nobody has said anything since you came."] : Self.lines(of: remarks, in: frame.size)
    let rows = Self.rows(in: frame.size)
    let last = max(0, lines.count - rows)
    let first = min(top ?? last, last)
    for (index, line) in lines.dropFirst(first).prefix(rows).enumerated() {
      frame.write(line, at: Position(row: Self.listTop + index, column: 2))
    }
    let edge = frame.size.columns - 1
    frame.writeScrollSigns(
      up: first > 0 ? Self.listTop : nil, down: first < last ? Self.listTop + rows - 1 : nil,
      column: edge)
    let scroll = last > 0 ? [KeyHelp("arrows", "scroll")] : []
    frame.writeFooter(scroll + keys + [KeyHelp("Esc", "back")])
  }

  private static func rows(in size: Size) -> Int { max(1, size.rows - otherRows) }

  private static func lines(of remarks: [MatchNews.Remark], in size: Size) -> [String] {
    remarks.flatMap { $0.sentence.wrapped(to: max(4, size.columns - 4), indent: indent) }
  }
}
