import Shared
import TestSupport
import Testing

@Suite struct LineFramerTests {
  private let text = "one\n\nthree and more\r\n{\"type\":\"ping\"}\n\nlast\nno line"
  private let lines = ["one", "", "three and more\r", "{\"type\":\"ping\"}", "", "last"]

  @Test func `a text that is split anywhere gives the same lines`() {
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      var framer = LineFramer(limit: 100)
      let got = framer.lines(in: Array(bytes[..<cut])) + framer.lines(in: Array(bytes[cut...]))
      #expect(got == lines, "cut at \(cut)")
    }
  }

  @Test func `a text that is split at random gives the same lines`() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var rest = Array(text.utf8)[...]
      var framer = LineFramer(limit: 16)
      var got: [String] = []
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(7, rest.count), using: &random)
        got += framer.lines(in: Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      #expect(got == lines, "seed \(seed)")
    }
  }

  @Test func `a line in one chunk is not copied`() {
    var framer = LineFramer(limit: 10)
    let chunk = Array("ab\ncd\n".utf8)
    var offset = 0
    #expect(framer.next(in: chunk.span, from: &offset) == .line(0..<2))
    #expect(framer.next(in: chunk.span, from: &offset) == .line(3..<5))
    #expect(framer.next(in: chunk.span, from: &offset) == .needsMore)
    #expect(offset == chunk.count)
  }

  @Test func `a line that is split over two chunks is joined`() {
    var framer = LineFramer(limit: 10)
    var offset = 0
    #expect(framer.next(in: Array("ab".utf8).span, from: &offset) == .needsMore)
    offset = 0
    #expect(framer.next(in: Array("\n".utf8).span, from: &offset) == .joined(Array("ab".utf8)))
    #expect(offset == 1)
  }

  @Test(arguments: [[4096], [1, 4095], [4095, 1], [2048, 2048]])
  func `a line of exactly the limit is a line`(parts: [Int]) {
    var framer = LineFramer(limit: 4096)
    var got: [String] = []
    for count in parts { got += framer.lines(in: [UInt8](repeating: 0x61, count: count)) }
    got += framer.lines(in: [0x0A])
    #expect(got == [String(repeating: "a", count: 4096)])
  }

  @Test(arguments: [[4097], [1, 4096], [4096, 1]])
  func `one byte more is too long before its newline arrives, and for all further calls`(
    parts: [Int]
  ) {
    var framer = LineFramer(limit: 4096)
    for count in parts.dropLast() {
      #expect(framer.lines(in: [UInt8](repeating: 0x61, count: count)).isEmpty)
    }
    let last = [UInt8](repeating: 0x61, count: parts.last ?? 0)
    var offset = 0
    #expect(framer.next(in: last.span, from: &offset) == .tooLong)
    offset = 0
    #expect(framer.next(in: Array("a\n".utf8).span, from: &offset) == .tooLong)
  }

  @Test func `a line whose newline is beyond the limit is too long`() {
    var framer = LineFramer(limit: 4)
    let chunk = Array("ok\nabcde\n".utf8)
    var offset = 0
    #expect(framer.next(in: chunk.span, from: &offset) == .line(0..<2))
    #expect(framer.next(in: chunk.span, from: &offset) == .tooLong)
  }

  @Test func `an owner that pauses continues with the rest of the chunk`() {
    var framer = LineFramer(limit: 10)
    var offset = 0
    #expect(framer.next(in: Array("a".utf8).span, from: &offset) == .needsMore)
    let chunk = Array("b\ncd\ne".utf8)
    offset = 0
    #expect(framer.next(in: chunk.span, from: &offset) == .joined(Array("ab".utf8)))
    framer.keepRest(of: chunk.span, from: offset)

    let rest = framer.takeRest()
    #expect(framer.takeRest().isEmpty)
    offset = 0
    #expect(framer.next(in: rest.span, from: &offset) == .line(0..<2))
    framer.keepRest(of: rest.span, from: offset)
    #expect(framer.lines(in: framer.takeRest()).isEmpty)
    #expect(framer.lines(in: Array("f\n".utf8)) == ["ef"])
  }
}

extension LineFramer {
  /// Returns all lines that `chunk` completes.
  fileprivate mutating func lines(in chunk: [UInt8]) -> [String] {
    var lines: [String] = []
    var offset = 0
    while true {
      switch next(in: chunk.span, from: &offset) {
      case .line(let range): lines.append(String(decoding: chunk[range], as: UTF8.self))
      case .joined(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
      case .needsMore, .tooLong: return lines
      }
    }
  }
}
