import Shared
import TestSupport

@testable import Client

extension Size {
  static let usual = Size(rows: 24, columns: 80)
}

extension Screen {
  /// A screen whose output is discarded.
  convenience init(_ size: Size = .usual, timers: ManualTimers = ManualTimers()) {
    self.init(size: size, timers: timers, write: { _ in })
  }
}

extension FormScene {
  func frame(_ size: Size = .usual) -> Frame {
    var frame = Frame(size: size)
    draw(into: &frame)
    return frame
  }
}

extension OffGameScene {
  func frame(_ size: Size = .usual, now: Duration = .zero) -> Frame {
    var frame = Frame(size: size)
    draw(into: &frame, now: now)
    return frame
  }
}

extension TicTacToeScene {
  func frame(_ size: Size = .usual, now: Duration = .zero) -> Frame {
    var frame = Frame(size: size)
    draw(into: &frame, now: now)
    return frame
  }
}

extension ScreenView {
  /// Presses the key of each character.
  func type(_ text: String) {
    for character in text { _ = press(.character(character)) }
  }
}

extension Frame {
  /// The position of the first occurrence of a text; `nil` if there is none.
  func position(of text: String) -> Position? {
    for (row, line) in lines.enumerated() {
      guard let range = line.firstRange(of: text) else { continue }
      return Position(row: row, column: TextWidth.columns(of: String(line[..<range.lowerBound])))
    }
    return nil
  }
}
