import Shared

/// The list of keys that `?` shows: a pure value. A list that does not fit on the screen scrolls.
struct KeyList: Equatable {
  private let keys: [KeyHelp]
  /// The index of the first visible line.
  private var first = 0

  private static let border = Size(rows: 2, columns: 6)

  init(_ keys: [KeyHelp]) {
    self.keys = keys
  }

  /// Scrolls. Returns `false` for a key that closes the list.
  mutating func press(_ key: Key, in size: Size) -> Bool {
    let room = Self.room(in: size)
    let last = max(0, lines(in: size).count - room)
    guard last > 0, let steps = key.scrollRows(page: room - 1, count: last) else { return false }
    first = min(max(0, first + steps), last)
    return true
  }

  func draw(into frame: inout Frame) {
    let lines = lines(in: frame.size)
    let room = Self.room(in: frame.size)
    let fits = lines.count <= room
    let first = fits ? 0 : min(first, lines.count - room)
    frame.cursor = nil
    frame.writeDialog(
      Array(lines.dropFirst(first).prefix(room)),
      title: fits ? "Keys · press any key to close" : "Keys · ↑ ↓ scroll, Esc closes",
      columns: lines.map(TextWidth.columns(of:)).max() ?? 0)
    guard !fits, frame.size.columns > 1 else { return }
    let width = (lines.map(TextWidth.columns(of:)).max() ?? 0) + Self.border.columns
    let edge = (frame.size.columns + min(width, frame.size.columns)) / 2 - 1
    frame.writeScrollSigns(
      up: first > 0 ? 1 : nil, down: first + room < lines.count ? frame.size.rows - 2 : nil,
      column: edge, style: .bold)
  }

  /// The keys with their meanings beside them, which may take several lines each.
  private func lines(in size: Size) -> [String] {
    let width = (keys.map { TextWidth.columns(of: $0.keys) }.max() ?? 0) + 2
    let room = max(2, size.columns - Self.border.columns - width)
    return keys.flatMap { help in
      help.meaning.wrapped(to: room).enumerated().map { index, text in
        let label = index == 0 ? help.keys : ""
        return label + String(repeating: " ", count: width - TextWidth.columns(of: label)) + text
      }
    }
  }

  private static func room(in size: Size) -> Int { max(1, size.rows - border.rows) }
}
