import Shared

/// Turns pictures into bytes for the terminal: only what has changed since the last one. After each
/// picture the terminal writes plainly, and its cursor is where the picture has it.
struct FrameWriter {
  private var shown: Frame?
  private var bytes: [UInt8] = []
  private var pen = Style.plain
  /// Where the terminal would write next; `nil` where that is not sure.
  private var place: Position?

  /// Nobody knows any more what the terminal shows.
  mutating func forget() {
    shown = nil
  }

  /// What makes the terminal show this; nothing where it does already.
  mutating func bytes(for frame: Frame) -> [UInt8] {
    bytes = []
    pen = .plain
    place = nil
    let old = shown.flatMap { $0.size == frame.size ? $0 : nil }
    if old == nil { put("\u{1B}[?25l\u{1B}[0m\u{1B}[2J") }
    let cursor = Self.visibleCursor(of: frame)
    let oldCursor = old.flatMap(Self.visibleCursor(of:))
    writeCells(of: frame, over: old ?? Frame(size: frame.size), isCursorShown: oldCursor != nil)
    setPen(.plain)
    if let cursor, cursor != oldCursor || !bytes.isEmpty {
      move(to: cursor)
      put("\u{1B}[?25h")
    } else if cursor == nil, oldCursor != nil, bytes.isEmpty {
      put("\u{1B}[?25l")
    }
    shown = frame
    return bytes
  }

  private mutating func writeCells(of frame: Frame, over old: Frame, isCursorShown: Bool) {
    for row in 0..<frame.size.rows {
      for column in 0..<frame.size.columns {
        let cell = frame[row, column]
        guard cell != old[row, column], let character = cell.character else { continue }
        // It would be seen running about.
        if isCursorShown, bytes.isEmpty { put("\u{1B}[?25l") }
        move(to: Position(row: row, column: column))
        setPen(cell.style)
        put(String(character))
        // About the width of emoji and of combined characters terminals differ.
        let isSure =
          character.unicodeScalars.count == 1 && TextWidth.columns(of: character) == 1
        place = isSure ? Position(row: row, column: column + 1) : nil
      }
    }
  }

  private mutating func move(to position: Position) {
    guard place != position else { return }
    put("\u{1B}[\(position.row + 1);\(position.column + 1)H")
    place = position
  }

  private mutating func setPen(_ style: Style) {
    guard style != pen else { return }
    put(style.escapeSequence)
    pen = style
  }

  private mutating func put(_ text: String) {
    bytes += text.utf8
  }

  private static func visibleCursor(of frame: Frame) -> Position? {
    frame.cursor.flatMap { frame.contains($0.row, $0.column) ? $0 : nil }
  }
}
