import TestSupport
import Testing

@testable import Client

/// The golden files: a terminal can show them, and a difference is reported.
@Suite struct GoldenTests {
  private var frame: Frame {
    var frame = Frame(rows: 5, columns: 24)
    let whole = Position(row: 0, column: 0)
    frame.box(at: whole, size: frame.size, title: "한국 😀", style: .colored(.brightBlue))
    frame.writeCentered("bold", row: 1, style: .bold)
    frame.write("dim", at: Position(row: 2, column: 2), style: .dim)
    frame.writeTrailing("reversed", row: 2, before: 22, style: .reversed)
    frame.write("under", at: Position(row: 3, column: 2), style: Style(isUnderlined: true))
    return frame
  }

  @Test func `a frame matches its golden file`() throws {
    try expectGolden(frame, "terminal-styles")
  }

  @Test func `a terminal shows the contents of a golden file`() throws {
    var terminal = ScreenEmulator(frame.size)
    // The last line feed would scroll the terminal.
    try terminal.receive(frame.ansi.dropLast().replacing("\n", with: "\r\n").utf8)
    var shown = terminal.frame
    shown.cursor = nil
    #expect(shown == frame)
  }

  @Test func `a different frame or a missing golden file is reported`() throws {
    guard !Golden.isUpdating else { return }
    var other = frame
    other.write("x", at: Position(row: 1, column: 1))
    #expect(try Golden.mismatch(with: other, "terminal-styles")?.contains("different") == true)
    #expect(try Golden.mismatch(with: frame, "nobody-kept-it")?.contains("no golden") == true)
  }
}
