import Testing

@testable import Client

@Suite struct FrameTests {
  @Test func `text is written at its position in its style`() {
    var frame = Frame(rows: 2, columns: 6)
    #expect(frame.write("one", at: Position(row: 1, column: 2), style: .bold) == 3)
    #expect(frame.lines == ["      ", "  one "])
    #expect(frame[1, 2] == Frame.Cell(character: "o", style: .bold))
    #expect(frame[1, 5] == .blank)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("한국어", 6, "한국어"),
    ("한국어", 5, "한국…"), ("한국어", 4, "한…"), ("한국어", 1, "…"), ("abc", 0, ""),
  ])
  func `text that is too long ends in an ellipsis`(text: String, width: Int, shown: String) {
    var frame = Frame(rows: 1, columns: 10)
    let used = frame.write(text, at: Position(row: 0, column: 0), width: width)
    #expect(frame.lines == [shown + String(repeating: " ", count: 10 - used)])
    var narrow = Frame(rows: 1, columns: width)
    #expect(narrow.write(text, at: Position(row: 0, column: 0)) == used)
    #expect(narrow.lines[0].hasPrefix(shown))
  }

  @Test func `drawing outside the frame has no effect`() {
    var frame = Frame(rows: 2, columns: 3)
    for (row, column) in [(-1, 0), (2, 0), (0, 3), (0, 99), (1, -9)] {
      frame.write("ab", at: Position(row: row, column: column))
    }
    frame.box(at: Position(row: -5, column: -5), size: Size(rows: 4, columns: 40))
    frame.fill(at: Position(row: 2, column: 0), size: Size(rows: 9, columns: 9), with: "#")
    #expect(frame == Frame(rows: 2, columns: 3))
    frame.write("abc", at: Position(row: 0, column: -1))
    frame.write("한b", at: Position(row: 1, column: -1))
    #expect(frame.lines == ["bc ", " b "])
  }

  @Test func `a wide character is never split`() {
    var frame = Frame(rows: 1, columns: 4)
    frame.write("한국", at: Position(row: 0, column: 0))
    frame.write("x", at: Position(row: 0, column: 1))
    #expect(frame.lines == [" x국"])
    frame.write("y", at: Position(row: 0, column: 2))
    #expect(frame.lines == [" xy "])
    frame.write("한국", at: Position(row: 0, column: 0))
    frame.write("말", at: Position(row: 0, column: 1))
    #expect(frame.lines == [" 말 "])
  }

  @Test func `control and format characters are replaced`() {
    var frame = Frame(rows: 1, columns: 20)
    frame.write("a\u{1B}[2J\u{9B}\nb\r\n\u{202E}\u{200B}\tc", at: Position(row: 0, column: 0))
    #expect(
      frame.lines == ["a\u{FFFD}[2J\u{FFFD}\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}c" + "       "])
  }

  @Test func `an excessive stack of combining characters is replaced`() {
    var frame = Frame(rows: 1, columns: 2)
    frame.write(
      "e" + String(repeating: "\u{301}", count: 500), at: Position(row: 0, column: 0))
    #expect(frame.lines == ["\u{FFFD} "])
  }

  @Test func `a box draws its title and keeps its contents`() {
    var frame = Frame(rows: 3, columns: 12)
    frame.fill(at: Position(row: 0, column: 0), size: frame.size, with: ".")
    frame.box(at: Position(row: 0, column: 0), size: frame.size, title: "Room")
    #expect(frame.lines == ["┌─ Room ───┐", "│..........│", "└──────────┘"])
    frame.box(at: Position(row: 0, column: 0), size: frame.size, title: "Waiting room")
    #expect(frame.lines[0] == "┌─ Waiti… ─┐")
  }

  @Test func `text is centred or right-aligned`() {
    var frame = Frame(rows: 3, columns: 9)
    frame.writeCentered("한국", row: 0)
    frame.writeCentered("abc", row: 1, columns: 4..<9)
    frame.writeTrailing("9", row: 2, before: 9)
    #expect(frame.lines == ["  한국   ", "     abc ", "        9"])
  }
}
