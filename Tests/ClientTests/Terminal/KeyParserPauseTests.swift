import TestSupport
import Testing

@testable import Client

/// A network pauses within the replies of a terminal.
@Suite struct KeyParserPauseTests {
  private static let replies = [
    "\u{1B}]11;rgb:1a1a/2b2b/3c3c\u{1B}\\", "\u{1B}]10;rgb:ff/ff/ff\u{7}",
    "\u{1B}]4;1;rgb:cdcd/0000/0000\u{1B}\\", "\u{1B}]52;c;aGVsbG8=\u{7}", "\u{1B}]lq r5 한\u{1B}\\",
    "\u{1B}]Lb\u{1B}\\", "\u{1B}P>|XTerm(390)\u{1B}\\", "\u{1B}P1+r544e=787465726d\u{1B}\\",
    "\u{1B}P1$r0 q\u{1B}\\", "\u{1B}P!|00000000\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\",
    "\u{1B}[?1;2c", "\u{1B}[?62;1;2c", "\u{1B}[>41;390;0c", "\u{1B}[=1c", "\u{1B}[0n",
    "\u{1B}[12;34R", "\u{1B}[?24;80;1R", "\u{1B}[I", "\u{1B}[O", "\u{1B}[?0u", "\u{1B}[97;5u",
    "\u{1B}[?2026;2$y", "\u{1B}[8;24;80t", "\u{1B}[48;24;80;480;800t", "\u{1B}[?997;1n",
    "\u{1B}[M !!", "\u{1B}OP", "\u{9D}11;rgb:1a1a/2b2b/3c3c\u{9C}", "\u{9B}?1;2c",
  ]

  @Test(arguments: replies)
  func `a reply with one pause is no key but Escape`(reply: String) {
    let bytes = Array(reply.utf8)
    for index in bytes.indices.dropFirst() {
      for pause in [Duration.milliseconds(80), .milliseconds(300), .seconds(3)] {
        let keys = keys([(bytes[..<index], .seconds(9)), (bytes[index...], pause), (five, .zero)])
        #expect(keys.filter { $0 != .escape } == [.character("5")])
        // An ESC that ends a reply is not that key.
        #expect(keys.count == (index == 1 && bytes[0] == 0x1B ? 2 : 1))
      }
    }
  }

  @Test(arguments: [
    ("\r", Key.enter), ("q", .character("q")), ("\u{3}", .control("c")), ("\t", .tab),
    ("\u{7F}", .backspace), ("\u{1B}[A", .up), ("\u{1B}OB", .down), ("\u{1B}[5~", .pageUp),
    ("\u{1B}[<0;3;2M", .press(Position(row: 1, column: 2))),
  ])
  func `a key ends a paste whose end was lost`(text: String, key: Key) {
    let paste = Array("\u{1B}[200~a".utf8)[...]
    let typed = Array(text.utf8)[...]
    #expect(
      keys([(paste, .seconds(9)), (typed, .milliseconds(260)), (five, .zero)]) == [
        .pasted("a"), key, .character("5"),
      ])
  }

  @Test func `a paste whose end was lost ends with a long silence`() {
    let paste = Array("\u{1B}[200~a".utf8)[...]
    let typed = Array("qw\r".utf8)[...]
    #expect(
      keys([(paste, .seconds(9)), (typed, KeyParser.replyWait + .milliseconds(1))]) == [
        .pasted("a"), .character("q"), .character("w"), .enter,
      ])
  }

  @Test func `a paste with pauses is no key`() {
    let pieces = ["\u{1B}[200~ab", "qr\r\n", "\u{3}\u{7F}b", "\r\u{1B}[A\rc", "xy\u{1B}[201~5"]
    let keys = keys(pieces.map { (Array($0.utf8)[...], Duration.seconds(4)) })
    #expect(keys.last == .character("5"))
    for key in keys.dropLast() {
      if case .pasted = key { continue }
      Issue.record("\(key) is no text")
    }
  }

  @Test(arguments: replies)
  func `a reply that arrives byte by byte is no key but Escape`(reply: String) {
    let bytes = Array(reply.utf8)
    let pieces = bytes.indices.map { (bytes[$0...$0], Duration.milliseconds(60)) }
    let keys = keys(pieces + [(five, .milliseconds(60))])
    #expect(keys.filter { $0 != .escape } == [.character("5")])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `replies with random pauses are no keys but Escape`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pieces: [(ArraySlice<UInt8>, Duration)] = []
    let count = Int.random(in: 1...5, using: &random)
    for _ in 0..<count {
      var bytes = Array((Self.replies.randomElement(using: &random) ?? "").utf8)[...]
      while !bytes.isEmpty {
        let piece = bytes.prefix(Int.random(in: 1...bytes.count, using: &random))
        let isLong = Int.random(in: 0..<4, using: &random) == 0
        let pause = Int.random(in: 0...(isLong ? 2_500 : 100), using: &random)
        pieces.append((piece, .milliseconds(pause)))
        bytes.removeFirst(piece.count)
      }
    }
    let keys = keys(pieces + [(five, .milliseconds(10))])
    #expect(keys.filter { $0 != .escape } == [.character("5")], "\(pieces)")
  }

  @Test(
    arguments: [
      ("5", [.character("5")]), ("r", [.character("r")]), ("\r", [.enter]),
      ("q", [.character("q")]),
      ("\u{1B}[A", [.up]), ("[A", [.up]), ("\\", [.character("\\")]), ("한", [.character("한")]),
      ("Or", [.character("O"), .character("r")]), ("OA", [.up]),
      ("Paul", [.character("P"), .pasted("a"), .pasted("u"), .pasted("l")]),
      ("_b\r5", [.character("_"), .pasted("b"), .enter, .character("5")]),
      ("X\r", [.character("X"), .enter]), ("]a", [.character("]"), .pasted("a")]),
    ] as [(String, [Key])])
  func `what a person types after Escape counts`(typed: String, keys: [Key]) {
    let bytes = Array(typed.utf8)[...]
    #expect(self.keys([([0x1B], .zero), (bytes, .milliseconds(80))]) == [.escape] + keys)
    let pieces = bytes.indices.map { (bytes[$0...$0], Duration.milliseconds(80)) }
    guard !typed.contains("\u{1B}") else { return }
    #expect(self.keys([([0x1B], .zero)] + pieces) == [.escape] + keys)
  }

  @Test func `one letter after Escape is text in the end`() {
    var parser = KeyParser()
    _ = parser.parse([0x1B].span) + parser.flush()
    #expect(parser.parse(Array("X".utf8).span, at: .seconds(1)).isEmpty)
    #expect(parser.deadline == .seconds(1) + KeyParser.replyWait)
    #expect(parser.flush() == [.pasted("X")])
    #expect(parser.deadline == nil)
  }

  @Test func `some time after Escape, all keys count again`() {
    let typed = Array("]11Xr".utf8)[...]
    let keys = keys([([0x1B], .zero), (typed, .milliseconds(5_200))])
    #expect(keys == [.escape] + Array("]11Xr").map(Key.character))
  }

  @Test(arguments: ["\u{1B}]11;rgb:", "\u{1B}P>|X", "\u{1B}[12;", "\u{1B}]l"])
  func `keys that no reply has end one that was cut off`(reply: String) {
    let start = (Array(reply.utf8)[...], Duration.seconds(9))
    let pause = Duration.milliseconds(400)
    #expect(keys([start, ([0x0D], pause), (five, pause)]) == [.enter, .character("5")])
    #expect(keys([start, ([0x03], pause)]) == [.control("c")])
    #expect(keys([start, (Array("\u{1B}[A".utf8)[...], pause)]) == [.up])
  }

  @Test(arguments: ["\u{1B}]a", "\u{1B}Pr", "\u{1B}Xb", "\u{1B}_b", "\u{1B}^b"])
  func `keys count soon after the Alt key has begun a string`(typed: String) {
    let start = (Array(typed.utf8)[...], Duration.seconds(9))
    #expect(keys([start, (five, .milliseconds(300))]) == [.character("5")])
  }

  private let five = Array("5".utf8)[...]

  /// The keys of a terminal session that gets these bytes, each after a time.
  private func keys(_ pieces: [(ArraySlice<UInt8>, Duration)]) -> [Key] {
    var parser = KeyParser()
    var now = Duration.zero
    var keys: [Key] = []
    for (bytes, pause) in pieces {
      now += pause
      if let deadline = parser.deadline, deadline <= now { keys += parser.flush() }
      keys += parser.parse(Array(bytes).span, at: now)
    }
    return keys
  }
}
