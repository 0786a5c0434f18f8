import TestSupport
import Testing

@testable import Client

@Suite struct KeyParserTests {
  private static let sequences: [(String, [Key])] = [
    ("a", [.character("a")]), (" ", [.character(" ")]), ("한", [.character("한")]),
    ("😀", [.character("😀")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
    ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]), ("\u{3}", [.control("c")]),
    ("\u{1A}", [.control("z")]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]),
    ("\u{1B}[1;5C", [.right]), ("\u{1B}[D", [.left]), ("\u{1B}[H", [.home]), ("\u{1B}OF", [.end]),
    ("\u{1B}[1~", [.home]), ("\u{1B}[8~", [.end]), ("\u{1B}[3~", [.delete]),
    ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6;2~", [.pageDown]), ("\u{1B}[Z", [.backTab]),
    ("\u{1B}OM", [.enter]), ("\u{1B}\u{1B}[A", [.escape, .up]),
    ("\u{1B}q", [.escape, .character("q")]),
    ("\u{1B}[<0;5;3M", [.press(Position(row: 2, column: 4))]), ("\u{1B}[<0;5;3m", []),
    ("\u{1B}[<2;5;3M", []), ("\u{1B}[<35;5;3M", []), ("\u{1B}[<64;1;1M", [.scrollUp]),
    ("\u{1B}[<65;1;1M", [.scrollDown]), ("\u{1B}[<0;0;3M", []), ("\u{1B}[<0;5M", []),
    ("\u{1B}[<0;99999999999999999999;3M", []), ("\u{1B}[M !!", []), ("\u{1B}[[A", []),
    ("\u{1B}[15~", []), ("\u{1B}OP", []), ("\u{1B}[?1;2c", []), ("\u{1B}[I", []),
    ("\u{1B}[200~one\r\n\ttwo\u{3}\u{1B}[A\u{1B}[201~", Array("one   two").map(Key.pasted)),
  ]

  @Test(arguments: sequences)
  func `each byte sequence is parsed as its keys`(bytes: String, keys: [Key]) {
    var parser = KeyParser()
    // The key after the sequence shows that no byte is left over.
    #expect(parser.parse(Array("\(bytes)!".utf8).span) == keys + [.character("!")])
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `keys do not depend on how the bytes are split`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var parser = KeyParser()
    let sent = Self.sequences.shuffled(using: &random)
    var bytes = Array(sent.map(\.0).joined().utf8)
    var keys: [Key] = []
    while !bytes.isEmpty {
      let count = Int.random(in: 1...min(4, bytes.count), using: &random)
      keys += parser.parse(Array(bytes.prefix(count)).span)
      bytes.removeFirst(count)
    }
    #expect(keys == sent.flatMap(\.1))
  }

  @Test func `a lone ESC is the Escape key when flushed`() {
    var parser = KeyParser()
    #expect(parser.parse([0x1B].span).isEmpty)
    #expect(parser.isPending)
    #expect(parser.flush() == [.escape])
    #expect(!parser.isPending)
    #expect(parser.flush().isEmpty)
    #expect(parser.parse(Array("[".utf8).span) == [.character("[")])
  }

  @Test func `Escape ends an unterminated paste`() {
    var parser = KeyParser()
    _ = parser.parse(Array("\u{1B}[200~x\u{1B}".utf8).span)
    #expect(parser.flush() == [.escape])
    #expect(parser.parse([0x0D].span) == [.enter])
  }

  @Test(
    arguments: [
      [0xFF], [0x80, 0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80], [0xC2, 0x9B], [0xF8], [0x1B, 0x5B, 0x31, 0x18],
    ] as [[UInt8]])
  func `invalid bytes do not affect the keys after them`(bytes: [UInt8]) {
    var parser = KeyParser()
    let keys = parser.parse((bytes + Array("ok".utf8)).span)
    #expect(keys.suffix(2) == [.character("o"), .character("k")])
    #expect(keys.dropLast(2).allSatisfy { $0 == .control("x") })
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `random bytes do not break the parser`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var parser = KeyParser()
    let likely = Array("\u{1B}[<0;1M~O".utf8)
    for _ in 0..<2_000 {
      let byte =
        Bool.random(using: &random)
        ? UInt8.random(in: 0...255, using: &random)
        : likely[Int.random(in: 0..<likely.count, using: &random)]
      _ = parser.parse([byte].span)
    }
    // The noise may leave an open paste or sequence, which these bytes end.
    _ = parser.parse(Array("\u{1B}[201~".utf8).span)
    _ = parser.parse(Array("   \u{1B}[201~".utf8).span)
    #expect(parser.parse(Array("hello".utf8).span) == Array("hello").map(Key.character))
  }
}
