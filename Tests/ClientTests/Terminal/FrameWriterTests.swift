import Shared
import TestSupport
import Testing

@testable import Client

@Suite struct FrameWriterTests {
  private static let size = Size(rows: 5, columns: 12)

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `the terminal shows the new frame, whatever was shown before`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var writer = FrameWriter()
    var terminal = ScreenEmulator(Self.size)
    var frame = Frame(size: Self.size)
    for _ in 0..<25 {
      // Some frames differ completely, most of them slightly.
      if Int.random(in: 0..<5, using: &random) == 0 { frame = Frame(size: Self.size) }
      for _ in 0..<Int.random(in: 0..<6, using: &random) { Self.scribble(on: &frame, &random) }
      try terminal.receive(writer.bytes(for: frame))
      #expect(terminal.frame == frame)
      #expect(writer.bytes(for: frame).isEmpty)
    }
  }

  @Test func `only changed cells are written`() {
    var writer = FrameWriter()
    var frame = Frame(size: Self.size)
    frame.write("one two", at: Position(row: 2, column: 1))
    _ = writer.bytes(for: frame)
    frame.write("TWO", at: Position(row: 2, column: 5), style: .bold)
    #expect(Self.text(writer.bytes(for: frame)) == "\u{1B}[3;6H\u{1B}[0;1mTWO\u{1B}[0m")
  }

  @Test func `the cursor is hidden while cells are drawn`() {
    var writer = FrameWriter()
    var frame = Frame(size: Self.size)
    frame.cursor = Position(row: 1, column: 1)
    _ = writer.bytes(for: frame)
    frame.write("x", at: Position(row: 0, column: 0))
    #expect(
      Self.text(writer.bytes(for: frame))
        == "\u{1B}[?25l\u{1B}[1;1Hx\u{1B}[2;2H\u{1B}[?25h")
    frame.cursor = nil
    #expect(Self.text(writer.bytes(for: frame)) == "\u{1B}[?25l")
    frame.cursor = Position(row: 9, column: 0)
    #expect(writer.bytes(for: frame).isEmpty)
  }

  @Test func `an unknown terminal or a new size is redrawn completely`() throws {
    var writer = FrameWriter()
    var frame = Frame(size: Self.size)
    frame.write("one", at: Position(row: 4, column: 9), style: .colored(.brightCyan))
    _ = writer.bytes(for: frame)
    writer.forget()
    var terminal = ScreenEmulator(Self.size)
    try terminal.receive("what a shell has left".utf8)
    try terminal.receive(writer.bytes(for: frame))
    #expect(terminal.frame == frame)

    var small = Frame(rows: 2, columns: 3)
    small.write("한x", at: Position(row: 1, column: 0))
    terminal.resize(rows: 2, columns: 3)
    try terminal.receive(writer.bytes(for: small))
    #expect(terminal.frame == small)
  }

  @Test func `what a terminal may have drawn beside a character is written again`() throws {
    var writer = FrameWriter()
    var frame = Frame(size: Self.size)
    frame.write("ab|", at: Position(row: 0, column: 2))
    _ = writer.bytes(for: frame)
    // Some terminals draw the colour of the skin beside the hand.
    frame.write("👍🏽", at: Position(row: 0, column: 0))
    #expect(
      Self.text(writer.bytes(for: frame)) == "\u{1B}[1;1H👍🏽\u{1B}[1;3Hab")
    #expect(writer.bytes(for: frame).isEmpty)
    var other = FrameWriter()
    let blank = Frame(size: Self.size)
    frame = blank
    frame.write("👍🏽", at: Position(row: 0, column: 9))
    let text = Self.text(other.bytes(for: frame))
    #expect(text.hasSuffix("\u{1B}[1;10H👍🏽\u{1B}[1;12H "))
  }

  @Test func `the cursor is positioned again after a character of uncertain width`() {
    var writer = FrameWriter()
    var frame = Frame(rows: 1, columns: 8)
    _ = writer.bytes(for: frame)
    frame.write("😀xe\u{301}y", at: Position(row: 0, column: 0))
    #expect(
      Self.text(writer.bytes(for: frame))
        == "\u{1B}[1;1H😀\u{1B}[1;3Hxe\u{301}\u{1B}[1;5Hy")
  }

  @Test func `without colours, the other styles stay`() {
    var writer = FrameWriter(hasColors: false)
    var frame = Frame(rows: 1, columns: 4)
    _ = writer.bytes(for: frame)
    frame.write("X", at: Position(row: 0, column: 0), style: Mark.x.style)
    frame.write("O", at: Position(row: 0, column: 1), style: Mark.o.style)
    frame.write("!", at: Position(row: 0, column: 2), style: .colored(.red))
    #expect(Self.text(writer.bytes(for: frame)) == "\u{1B}[1;1H\u{1B}[0;1mXO\u{1B}[0m!")
  }

  @Test func `lines and signs become ASCII, and letters stay`() throws {
    var writer = FrameWriter(characters: .lettersAndASCII)
    var terminal = ScreenEmulator(Self.size)
    var frame = Frame(size: Self.size)
    frame.box(at: Position(row: 0, column: 0), size: Size(rows: 3, columns: 12), title: "Jürgen")
    frame.write("▸ a · b …", at: Position(row: 1, column: 1))
    frame.writeSpinner(at: Position(row: 4, column: 0))
    try terminal.receive(writer.bytes(for: frame))
    #expect(
      terminal.lines == ["+- Jürgen -+", "|> a . b . |", "+----------+", "", "|"])
    #expect(writer.bytes(for: frame).isEmpty)
  }

  @Test func `without Unicode, everything is ASCII and keeps its width`() throws {
    var writer = FrameWriter(characters: .onlyASCII)
    var terminal = ScreenEmulator(Self.size)
    var frame = Frame(size: Self.size)
    frame.box(at: Position(row: 0, column: 0), size: Size(rows: 3, columns: 12), title: "Jürgen")
    frame.write("한e\u{301}😀z", at: Position(row: 1, column: 1))
    let bytes = writer.bytes(for: frame)
    #expect(bytes.allSatisfy { $0 < 0x80 })
    try terminal.receive(bytes)
    #expect(terminal.lines == ["+- J?rgen -+", "|?????z    |", "+----------+", "", ""])
  }

  @Test func `without bright colours, each has its dark one`() {
    var writer = FrameWriter(hasBrightColors: false)
    var frame = Frame(size: Self.size)
    _ = writer.bytes(for: frame)
    frame.write("X", at: Position(row: 0, column: 0), style: .colored(.brightBlue))
    #expect(Self.text(writer.bytes(for: frame)) == "\u{1B}[1;1H\u{1B}[0;34mX\u{1B}[0m")
    #expect(Color.allCases.allSatisfy { $0.dark.rawValue == $0.rawValue % 8 })
  }

  @Test func `every line and sign on the screens has an ASCII character`() throws {
    for text in try Golden.all {
      let signs = Set(text.filter { !$0.isLetter && TextWidth.columns(of: $0) == 1 })
      #expect(signs.filter { !$0.asciiSign.isASCII }.isEmpty)
    }
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private static let texts = [
    "x", "hello", "─┐│", "한국어", "日", "😀", "👨‍👩‍👧‍👦a", "🇰🇷🇩🇪", "❤️x", "e\u{301}z", "1️⃣", "      ",
  ]

  private static func scribble(on frame: inout Frame, _ random: inout SeededGenerator) {
    let position = Position(
      row: Int.random(in: 0..<size.rows, using: &random),
      column: Int.random(in: -1..<size.columns, using: &random))
    var style = Style(color: Color(rawValue: Int.random(in: 0..<20, using: &random)))
    style.isBold = Bool.random(using: &random)
    style.isDim = Bool.random(using: &random)
    style.isReversed = Bool.random(using: &random)
    style.isUnderlined = Bool.random(using: &random)
    let text = texts[Int.random(in: 0..<texts.count, using: &random)]
    frame.write(text, at: position, style: Bool.random(using: &random) ? style : .plain)
    frame.cursor = Bool.random(using: &random) ? nil : Position(row: position.row, column: 3)
  }
}
