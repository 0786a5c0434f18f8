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
    ("\u{1B}[<0;5;3M", [.press(Position(row: 2, column: 4))]), ("\u{1B}[<2;5;3M", []),
    ("\u{1B}[<35;5;3M", []), ("\u{1B}[<64;1;1M", [.scrollUp]),
    ("\u{1B}[<65;1;1M", [.scrollDown]), ("\u{1B}[<0;0;3M", []), ("\u{1B}[<0;5M", []),
    ("\u{1B}[<0;99999999999999999999;3M", []),
    ("\u{1B}[15~", []), ("\u{1B}OP", []), ("\u{1B}O5A", [.up]),
    ("\u{1B}[200~a\u{1B}]11;rgb:00/00/00\u{1B}\\b\u{1B}[201~", [.pasted("a"), .pasted("b")]),
    ("\u{1B}[200~a\u{1B}]11;no end\u{1B}[201~", [.pasted("a")]),
    ("\u{1B}[200~one\r\n\ttwo\u{3}\u{1B}[A\u{1B}[201~", Array("one   two").map(Key.pasted)),
  ]

  /// What a terminal sends without a key: replies, focus changes, and mouse reports in formats that
  /// the client has not asked for.
  private static let replies = [
    "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\", "\u{1B}]10;rgb:ff/ff/ff\u{7}", "\u{1B}]\u{7}",
    "\u{1B}]52;c;aGVsbG8=\u{7}", "\u{1B}]l한국어\u{1B}\\", "\u{1B}P>|XTerm(390)\u{1B}\\",
    "\u{1B}P1+r544e=787465726d\u{1B}\\", "\u{1B}P1$r0 q\u{1B}\\", "\u{1B}P!|00000000\u{1B}\\",
    "\u{1B}Pb\u{7}", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}^private\u{1B}\\", "\u{1B}Xr2\u{1B}\\",
    "\u{1B}Xr2\n\u{1}5\r\t\u{1B}\\", "\u{9D}11;rgb:00/00/00\u{9C}", "\u{90}>|b\u{9C}",
    "\u{98}b\u{9C}", "\u{9E}b\u{9C}", "\u{9F}b\u{7}", "\u{1B}]11;b\u{9C}", "\u{9D}b\u{1B}\\",
    "\u{1B}]11;rgb\u{18}", "\u{1B}P1;b\u{1A}", "\u{1B}[?1\u{18}", "\u{1B}[\u{1A}", "\u{1B}O\u{18}",
    "\u{1B}\\", "\u{9C}", "\u{1B}[M !!", "\u{1B}[[A", "\u{1B}[M \u{C0}\u{100}",
    "\u{1B}[M\u{C0}!\u{E0}",
    "\u{1B}[tAB", "\u{1B}[TABCDEF", "\u{1B}[35;20;10M", "\u{1B}[<0;5;3m", "\u{1B}[1;2;3;4;5&w",
    "\u{1B}[?1;2c", "\u{1B}[?62;22;52c", "\u{1B}[>41;390;0c", "\u{1B}[=1c", "\u{1B}[0n",
    "\u{1B}[24;80R", "\u{1B}[?24;80;1R", "\u{1B}[I", "\u{1B}[O", "\u{1B}[?0u", "\u{1B}[97;5u",
    "\u{1B}[?2026;2$y", "\u{1B}[8;24;80t", "\u{1B}[48;24;80;480;800t", "\u{1B}[?997;1n",
    "\u{1B}[?1A", "\u{1B}[>5~", "\u{1B}[1$~", "\u{9B}?1;2c",
    "\u{1B}]11;rgb:00/00/00\u{1B}\u{1B}\\", "\u{1B}Pb\u{1B}\u{1B}\u{1B}\\",
  ]

  @Test(arguments: replies)
  func `a reply is no key, wherever it is split`(reply: String) {
    let bytes = Array("1\(reply)b".utf8)
    let keys = [Key.character("1"), .character("b")]
    for index in bytes.indices {
      var parser = KeyParser()
      #expect(
        parser.parse(Array(bytes[..<index]).span) + parser.parse(Array(bytes[index...]).span)
          == keys)
    }
    var parser = KeyParser()
    #expect(bytes.flatMap { parser.parse([$0].span) } == keys)
    #expect(parser.deadline == nil)
  }

  @Test(arguments: replies)
  func `keys count again after a reply that was cut off`(reply: String) {
    let bytes = Array(reply.utf8)
    for count in 2..<max(2, bytes.count) {
      var parser = KeyParser()
      var keys = parser.parse(Array(bytes[..<count]).span, at: .seconds(5))
      if let deadline = parser.deadline {
        #expect(deadline <= .seconds(5) + KeyParser.replyWait)
        keys += parser.flush()
      }
      #expect(parser.deadline == nil)
      keys += parser.parse(Array("\r5".utf8).span, at: .seconds(10))
      #expect(keys == [.enter, .character("5")])
    }
  }

  @Test(arguments: [
    ("\u{1B}]", KeyParser.maxSequenceTime), ("\u{1B}P", KeyParser.maxSequenceTime),
    ("\u{1B}]11;", KeyParser.maxReplyTime), ("\u{9B}1", .zero),
  ])
  func `keys in quick succession do not prolong a sequence for ever`(
    start: String, maxTime: Duration
  ) {
    var parser = KeyParser()
    var now = Duration.zero
    _ = parser.parse(Array(start.utf8).span)
    while let deadline = parser.deadline, now < .seconds(30) {
      now += .milliseconds(100)
      let keys = deadline < now ? parser.flush() : parser.parse([UInt8(ascii: "a")].span, at: now)
      #expect(keys == [])
    }
    #expect(now <= maxTime + .milliseconds(100))
    #expect(parser.parse([UInt8(ascii: "b")].span, at: now) == [.character("b")])
  }

  @Test func `a control string has a maximum length`() {
    var parser = KeyParser()
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: ControlString.maxLength)
    #expect(parser.parse((Array("\u{1B}P".utf8) + bytes).span).isEmpty)
    #expect(parser.parse(Array("xb".utf8).span) == [.character("b")])
  }

  @Test(
    arguments: [
      ("\u{1B}]11;rgb\u{1B}[A", [.up]), ("\u{1B}]11;rgb\u{1B}q", [.escape, .character("q")]),
      ("\u{1B}[12\u{1B}[A", [.up]), ("\u{1B}[M!\u{1B}[A", [.up]), ("\u{1B}Pb\u{1B}]c\u{7}", []),
      ("\u{1B}[12\u{3}", [.control("c")]), ("\u{1B}O\r", [.enter]),
    ] as [(String, [Key])])
  func `another sequence cancels one without an end`(bytes: String, keys: [Key]) {
    var parser = KeyParser()
    #expect(parser.parse(Array("\(bytes)!".utf8).span) == keys + [.character("!")])
  }

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
    #expect(parser.deadline == KeyParser.escapeWait)
    #expect(parser.flush() == [.escape])
    #expect(parser.deadline == nil)
    #expect(parser.flush().isEmpty)
    #expect(parser.parse(Array("5[".utf8).span) == [.character("5"), .character("[")])
  }

  @Test func `Escape ends an unterminated paste`() {
    var parser = KeyParser()
    _ = parser.parse(Array("\u{1B}[200~x\u{1B}".utf8).span)
    #expect(parser.flush() == [.escape])
    #expect(parser.parse([0x0D].span) == [.enter])
  }

  @Test(
    arguments: [
      [0x9D] + Array("11;rgb:1e1e/1e1e/2e2e".utf8) + [0x9C], [0x9D] + Array("b\u{1B}\\".utf8),
      [0x9D] + Array("l한".utf8) + [0x9C], [0x90] + Array(">|XTerm(390)".utf8) + [0x9C],
      [0x9B] + Array("?62;1;2c".utf8), [0x9B] + Array("12;34R".utf8), [0x9F, 0x47, 0x72, 0x9C],
      [0x98, 0x72, 0x07], [0x9E, 0x72, 0x9C], [0x8F, 0x50], Array("\u{1B}]11;r".utf8) + [0x9C],
      [0x9C],
    ] as [[UInt8]])
  func `control characters of 8 bits are understood`(reply: [UInt8]) {
    for count in reply.indices {
      var parser = KeyParser()
      let (start, end) = (Array(reply.prefix(count)), Array(reply.dropFirst(count)) + [0x62])
      let keys = parser.parse(start.span) + parser.parse(end.span)
      #expect(keys == [.character("b")])
    }
  }

  @Test func `a terminal that is not in UTF-8 may send control characters of 8 bits`() {
    var parser = KeyParser(readsOnlyASCII: true)
    let replies: [[UInt8]] = [
      [0x9D] + Array("11;rgb:1e1e/1e1e/2e2e".utf8) + [0x9C], [0x9B] + Array("?62;1;2c".utf8),
      [0x90] + Array(">|XTerm(390)".utf8) + [0x9C],
    ]
    for reply in replies {
      #expect(parser.parse((reply + [0x35]).span) == [.character("5")])
      #expect(!parser.hasRefused)
    }
  }

  @Test(
    arguments: [[0xC7, 0xD1], [0x9D, 0x81], [0x9B, 0xE0], [0xC3, 0xBC], [0x80]] as [[UInt8]])
  func `in a terminal that is not in UTF-8, other characters are refused`(bytes: [UInt8]) {
    var parser = KeyParser(readsOnlyASCII: true)
    #expect(parser.parse((bytes + [0x35]).span) == [.character("5")])
    #expect(parser.hasRefused)
    #expect(parser.parse([0x35].span) == [.character("5")])
    #expect(!parser.hasRefused)
  }

  @Test(
    arguments: [
      [0xFF], [0x80, 0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80], [0xC2, 0x85], [0xF8], [0x1B, 0x5B, 0x31, 0x18],
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
    let likely = Array("\u{1B}[<0;1M~O]P_\\\u{9D}".utf8)
    for _ in 0..<2_000 {
      let byte =
        Bool.random(using: &random)
        ? UInt8.random(in: 0...255, using: &random)
        : likely[Int.random(in: 0..<likely.count, using: &random)]
      _ = parser.parse([byte].span)
    }
    // The noise may leave an open paste or sequence.
    _ = parser.flush()
    _ = parser.parse(Array("\u{1B}[201~".utf8).span)
    #expect(parser.parse(Array("hello".utf8).span) == Array("hello").map(Key.character))
  }
}
