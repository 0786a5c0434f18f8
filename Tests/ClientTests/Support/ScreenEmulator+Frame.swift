import Shared
import TestSupport

@testable import Client

extension ScreenEmulator {
  init(_ size: Size) {
    self.init(rows: size.rows, columns: size.columns, width: TextWidth.columns(of:))
  }

  /// The contents of the screen. A hidden cursor is `nil`.
  var frame: Frame {
    var frame = Frame(size: Size(rows: rows, columns: columns))
    for row in 0..<rows {
      for column in 0..<columns {
        guard let character = self[row, column].character else { continue }
        let style = Style(self[row, column].look)
        frame.put(character, at: Position(row: row, column: column), style: style)
      }
    }
    frame.cursor = isCursorVisible ? Position(row: row, column: column) : nil
    return frame
  }
}

extension Style {
  fileprivate init(_ look: ScreenEmulator.Look) {
    self.init(
      color: look.color.flatMap(Color.init(rawValue:)), isBold: look.isBold, isDim: look.isDim,
      isReversed: look.isReversed, isUnderlined: look.isUnderlined)
  }
}
