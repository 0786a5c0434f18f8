import Shared

/// The list of keys that `?` shows: a pure value. A list that does not fit on the screen scrolls. A
/// click on a line presses its key.
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

  /// Returns the key whose line is at a position; `nil` if there is none.
  func key(at position: Position, in size: Size) -> Key? {
    let (shown, columns) = shown(in: size)
    let box = Frame.dialog(Size(rows: shown.count, columns: columns), in: size)
    let index = shown.startIndex + position.row - box.corner.row - 1
    return box.contains(position) && shown.indices.contains(index) ? shown[index].key : nil
  }

  func draw(into frame: inout Frame) {
    let count = lines(in: frame.size).count
    let room = Self.room(in: frame.size)
    let fits = count <= room
    let (shown, columns) = shown(in: frame.size)
    let first = shown.startIndex
    frame.cursor = nil
    frame.writeDialog(
      shown.map(\.text),
      title: fits ? "Keys · press any key to close" : "Keys · ↑ ↓ scroll, Esc closes",
      columns: columns)
    let box = Frame.dialog(Size(rows: shown.count, columns: columns), in: frame.size)
    for (index, line) in zip(shown.indices, shown) where line.isFirst && line.key != nil {
      let row = box.corner.row + 1 + index - first
      frame.addButton(at: Position(row: row, column: box.corner.column + 3), line.text)
    }
    guard !fits, frame.size.columns > 1 else { return }
    let width = columns + Self.border.columns
    let edge = (frame.size.columns + min(width, frame.size.columns)) / 2 - 1
    frame.writeScrollSigns(
      up: first > 0 ? 1 : nil, down: first + room < count ? frame.size.rows - 2 : nil,
      column: edge, style: .bold)
  }

  private struct Line {
    let text: String
    let key: Key?
    /// Whether it is the first one of its key.
    let isFirst: Bool
  }

  /// The visible lines, and the columns of the longest one of all.
  private func shown(in size: Size) -> (lines: ArraySlice<Line>, columns: Int) {
    let (lines, room) = (lines(in: size), Self.room(in: size))
    let shown = lines.dropFirst(min(first, max(0, lines.count - room))).prefix(room)
    return (shown, lines.map { TextWidth.columns(of: $0.text) }.max() ?? 0)
  }

  /// The keys with their meanings beside them, which may take several lines each.
  private func lines(in size: Size) -> [Line] {
    let width = (keys.map { TextWidth.columns(of: $0.keys) }.max() ?? 0) + 2
    let room = max(2, size.columns - Self.border.columns - width)
    return keys.flatMap { help in
      help.meaning.wrapped(to: room).enumerated().map { index, text in
        let label = index == 0 ? help.keys : ""
        let gap = String(repeating: " ", count: width - TextWidth.columns(of: label))
        return Line(text: label + gap + text, key: help.key, isFirst: index == 0)
      }
    }
  }

  private static func room(in size: Size) -> Int { max(1, size.rows - border.rows) }
}
