import Shared
import Testing

/// The line of the hot path, with numbers of every length.
@Suite struct EventEncoderTests {
  private static let numbers =
    [0, 9, 10, 99, 100, 999, 1_000, 9_999, 10_000, 10_001, 99_999_999]
    + [100_000_000, 1_000_000_000_000_007, 1 << 53, .max]

  @Test(arguments: numbers)
  func `numbers of every length are written in every field`(number: Int) {
    let placement = Placement(cell: Cell(row: number, column: -number), mark: .o)
    let change = Change(placement, turn: .x, hash: 0x0123_cdef)
    #expect(
      lines(change, left: .milliseconds(number % 1_000_000_007), match: "7q2k", seq: number) == [
        #"{"type":"boardDidChange","match":"7q2k","seq":\#(number),"cells":["#
          + #"{"row":\#(number),"col":\#(-number),"mark":"O"}],"turn":"X","#
          + #""left":\#(number % 1_000_000_007),"hash":"0123cdef"}"#
      ])
  }

  @Test(arguments: [
    "", "7q2k", #"a"b\c"#, "\u{1B}[2J", "zażółć", String(repeating: "long ", count: 99),
  ])
  func `the id of a match can be any string`(match: String) throws {
    let placement = Placement(cell: Cell(row: 2, column: 0), mark: .x)
    for open in [nil, Array(repeating: placement.cell, count: 81)] {
      let change = Change(placement, turn: nil, open: open, hash: .max)
      let lines = lines(change, left: nil, match: match, seq: 7)
      #expect(lines.count == 1)
      for line in lines {
        let event = MatchEvent(match: match, seq: 7, .boardDidChange(change, timeLeft: nil))
        #expect(try received(line) == ReceivedEvent(re: nil, .match(event)))
      }
    }
  }

  /// The different texts of the line, without LF: from the encoder's hot path, and from its general
  /// path.
  private func lines(_ change: Change, left: Duration?, match: String, seq: Int) -> Set<String> {
    var texts: Set<String> = []
    EventEncoder.withLine(
      change, timeLimit: left.map(EncodedTime.init), match: QuotedName(match), seq: seq
    ) { line in
      texts.insert(line.withUnsafeBufferPointer { String(decoding: $0.dropLast(), as: UTF8.self) })
    }
    var line: [UInt8] = []
    let event = MatchEvent(match: match, seq: seq, .boardDidChange(change, timeLeft: left))
    EventEncoder.append(.match(event), to: &line)
    texts.insert(String(decoding: line.dropLast(), as: UTF8.self))
    return texts
  }
}
