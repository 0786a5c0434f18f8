import Shared

/// Turns frames into bytes for the terminal: only the cells that have changed since the last frame.
/// After each frame the terminal's style is plain, and its cursor is at the frame's position.
struct FrameWriter {
  private let hasColors: Bool
  private let hasBrightColors: Bool
  private let characters: CharacterRange
  private let marksWidths: Bool
  private var shown: Frame?
  private var bytes: [UInt8] = []
  private var pen = Style.plain
  /// Where the terminal writes next; `nil` if that is uncertain.
  private var penPosition: Position?

  /// Without `hasColors`, every character has the terminal's own colour. Without `hasBrightColors`,
  /// the first eight colours stand for the others too. With `marksWidths`, a private sequence, `w`
  /// with the number of columns, precedes each character of which a terminal may think otherwise;
  /// the text up to the next sequence is this one character.
  init(
    hasColors: Bool = true, hasBrightColors: Bool = true, characters: CharacterRange = .all,
    marksWidths: Bool = false
  ) {
    self.hasColors = hasColors
    self.hasBrightColors = hasBrightColors
    self.characters = characters
    self.marksWidths = marksWidths
  }

  /// Forgets the last frame, so that the next frame is written completely.
  mutating func forget() {
    shown = nil
  }

  /// Returns the bytes that make the terminal show a frame; no bytes if it shows the frame already.
  mutating func bytes(for frame: Frame) -> [UInt8] {
    bytes = []
    pen = .plain
    penPosition = nil
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
      // The terminal may have written over the cells before this column.
      var certainColumn = 0
      for column in 0..<frame.size.columns {
        let cell = frame[row, column]
        guard cell != old[row, column] || column < certainColumn, let character = cell.character
        else { continue }
        let text = characters.text(for: character)
        // Otherwise the cursor would be visible while it moves.
        if isCursorShown, bytes.isEmpty { put("\u{1B}[?25l") }
        move(to: Position(row: row, column: column))
        setPen(cell.style)
        // Terminals differ in the width of emoji and of combined characters.
        let isSure = text.unicodeScalars.count == 1 && TextWidth.columns(of: text) == 1
        if marksWidths, !isSure { put("\u{1B}[\(TextWidth.columns(of: text))w") }
        put(text)
        if !isSure, !marksWidths {
          certainColumn = max(certainColumn, column + TextWidth.maxColumns(of: character))
        }
        penPosition = isSure ? Position(row: row, column: column + 1) : nil
      }
    }
  }

  private mutating func move(to position: Position) {
    guard penPosition != position else { return }
    put("\u{1B}[\(position.row + 1);\(position.column + 1)H")
    penPosition = position
  }

  private mutating func setPen(_ style: Style) {
    var style = style
    if !hasColors { style.color = nil }
    if !hasBrightColors { style.color = style.color?.dark }
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
