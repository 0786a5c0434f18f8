import Shared

/// The drawing.
extension FormScene {
  /// Enough for the longest name, and for a host of usual length.
  private static let maxValueColumns = 30
  private static let rowsOfAlert = 3
  /// The rows of the title, the button and the last row, with those between them.
  private static let otherRows = 7

  func draw(into frame: inout Frame) {
    let (corner, size) = (corner(in: frame.size), frame.size)
    frame.writeCentered(form.title, row: corner.row - 2, style: .bold)
    for index in form.fields.indices { draw(field: index, into: &frame, below: corner) }
    let isTight = isTight(size)
    let below = corner.row + form.fields.count * rowsOfField(in: size) + (isTight ? 1 : 0)
    drawButton(into: &frame, row: below)
    let problem = isTight ? problem : nil
    if let alert = form.alert ?? problem {
      draw(
        alert, style: Style(color: .red, isBold: true), into: &frame,
        row: below + (isTight ? 1 : 2))
    } else if let notice = notices.latest {
      frame.hasClock = true
      draw(notice, style: .plain, into: &frame, row: below + (isTight ? 1 : 2))
    } else if let note = form.note {
      draw(note, style: .dim, into: &frame, row: below + (isTight ? 1 : 2))
    }
    frame.writeFooter(footer)
  }

  /// Whether there is no room for the problem below each field. One problem then stands below the
  /// button.
  private func isTight(_ size: Size) -> Bool {
    size.rows < Self.otherRows + form.fields.count * 2 + Self.rowsOfAlert
  }

  private func rowsOfField(in size: Size) -> Int { isTight(size) ? 1 : 2 }

  private func valueColumns(in size: Size) -> Int {
    min(Self.maxValueColumns, size.columns - labelColumns - 6)
  }

  /// The problem of the field with the focus, or else the first one.
  private var problem: String? {
    form.fields[focus].problem ?? form.fields.lazy.compactMap(\.problem).first
  }

  /// Returns the index of the field at a position; `nil` elsewhere.
  func field(at position: Position, in size: Size) -> Int? {
    let row = position.row - corner(in: size).row
    guard row >= 0, row < form.fields.count * rowsOfField(in: size) else { return nil }
    return row / rowsOfField(in: size)
  }

  private var labelColumns: Int {
    form.fields.map { TextWidth.columns(of: $0.label) }.max() ?? 0
  }

  /// Returns the position of the first field.
  private func corner(in size: Size) -> Position {
    let rows = Self.otherRows + form.fields.count * 2 + Self.rowsOfAlert - 2
    let columns = labelColumns + 4 + valueColumns(in: size)
    return Position(
      row: max(0, size.rows - rows) / 2 + 2, column: max(0, size.columns - columns) / 2)
  }

  private func draw(field index: Int, into frame: inout Frame, below corner: Position) {
    let field = form.fields[index]
    let valueColumns = valueColumns(in: frame.size)
    let row = corner.row + index * rowsOfField(in: frame.size)
    let hasFocus = index == focus && !isLoggingIn
    if hasFocus { frame.put("▸", at: Position(row: row, column: corner.column), style: .bold) }
    frame.write(
      field.label, at: Position(row: row, column: corner.column + 2),
      style: hasFocus ? .bold : .plain)
    let position = Position(row: row, column: corner.column + 4 + labelColumns)
    let underlined = Style(isUnderlined: true)
    frame.fill(at: position, size: Size(rows: 1, columns: valueColumns), style: underlined)
    if field.value.isEmpty, let blank = field.blank {
      frame.write(
        blank, at: position, style: Style(isDim: true, isUnderlined: true), width: valueColumns)
    }
    let visible = visibleValue(of: index, in: valueColumns)
    frame.write(visible.text, at: position, style: underlined)
    if hasFocus {
      frame.cursor = Position(row: row, column: position.column + visible.cursorColumn)
    }
    if let problem = field.problem, !isTight(frame.size) {
      // Moved to the left if the sentence would not fit otherwise.
      let last = frame.size.columns - 1 - TextWidth.columns(of: problem)
      frame.write(
        problem, at: Position(row: row + 1, column: max(1, min(position.column, last))),
        style: .colored(.red))
    }
  }

  /// Returns the visible part of a value, around the cursor if the field has the focus.
  private func visibleValue(
    of index: Int, in columns: Int
  ) -> (text: String, cursorColumn: Int) {
    let isPassword = form.fields[index].kind == .password
    guard index != focus || isLoggingIn else {
      return (isPassword ? textField.dotted : textField).visible(in: columns)
    }
    var unfocused = TextField(form.fields[index].value)
    unfocused.moveCursorToStart()
    return (isPassword ? unfocused.dotted : unfocused).visible(in: columns)
  }

  private func drawButton(into frame: inout Frame, row: Int) {
    switch form.state {
    case .loggingIn(let sentence):
      let width = TextWidth.columns(of: sentence) + 2
      let column = max(0, frame.size.columns - width) / 2
      frame.writeSpinner(at: Position(row: row, column: column))
      frame.write(sentence, at: Position(row: row, column: column + 2))
    case .editing:
      frame.writeCentered(
        form.canSubmit ? "  Enter: \(form.verb)  " : "Correct the fields first", row: row,
        style: form.canSubmit ? Style(isBold: true, isReversed: true) : .dim)
    }
  }

  private func draw(_ sentence: String, style: Style, into frame: inout Frame, row: Int) {
    // All rows above the footer.
    let lines = sentence.wrapped(to: min(60, frame.size.columns - 2))
      .prefix(max(0, frame.size.rows - 1 - row))
    for (index, line) in lines.enumerated() {
      frame.writeCentered(line, row: row + index, style: style)
    }
  }

  private var footer: [KeyHelp] {
    guard !form.canClose else {
      return isLoggingIn
        ? [KeyHelp("Ctrl-C", "quit")]
        : [KeyHelp("Tab", "next field"), KeyHelp("Enter", form.verb), KeyHelp("Esc", "back")]
    }
    return isLoggingIn
      ? [KeyHelp("Esc", "cancel"), KeyHelp("Ctrl-C", "quit")]
      : [KeyHelp("Tab", "next field"), KeyHelp("Enter", form.verb), KeyHelp("Ctrl-C", "quit")]
  }

  var keys: [KeyHelp] {
    [
      KeyHelp("Tab, up, down", "go to another field"),
      KeyHelp("arrows, Home, End", "move the cursor"),
      KeyHelp("Ctrl-U, Ctrl-W", "delete the text, the word"),
      KeyHelp("Enter", "log in and play"),
      KeyHelp("Esc", "stop connecting"),
    ]
  }
}
