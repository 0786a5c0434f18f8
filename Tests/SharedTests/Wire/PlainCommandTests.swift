import Shared
import Testing

/// A move and a bare command, without a space, have quick ways of their own; they must lead to where
/// every line's way leads.
struct PlainCommandTests {
  @Test(arguments: CommandType.allCases)
  func `a bare command is read as with a space`(type: CommandType) {
    let plain = #"{"type":"\#(type.rawValue)"}"#
    #expect(result(plain) == result(#"{ "type":"\#(type.rawValue)"}"#))
    let line = Array(plain.utf8)
    for count in 0..<line.count {
      #expect(throws: LineError.self) { try decoded(Array(line.prefix(max(1, count)))) }
    }
    for index in line.indices {
      for byte in [UInt8(ascii: "x"), UInt8(ascii: "\""), 0x00, 0xFF] {
        var changed = line
        changed[index] = byte
        // A space at the end of an object changes nothing but the way.
        #expect(result(changed) == result(changed.dropLast() + [0x20] + changed.suffix(1)))
      }
    }
  }

  @Test func `a name that has a bare command in it is none`() {
    for name in [
      "", "p", "pin", "ping1", "pping", "ping\u{0}", "ping\u{0}\u{0}\u{0}\u{0}", "pingping",
      "pingpingp",
    ] {
      #expect(refusal(#"{"type":"\#(name)"}"#) != nil, "\(name)")
    }
  }

  private func result(_ line: String) -> Result<Request?, LineError> { result(Array(line.utf8)) }

  private func result(_ line: [UInt8]) -> Result<Request?, LineError> {
    Result { () throws(LineError) in try decoded(line) }
  }

  @Test(arguments: [
    "0", "1", "9", "10", "19", "99", "100", "-1", "00", "01", "-0", "1.0", "1e1", "", "x", "null",
    "\"1\"", "9007199254740992", " 1", "1 ",
  ])
  func `a number is read as in any line`(number: String) {
    check(#"{"type":"place","row":\#(number),"col":1}"#)
    check(#"{"type":"place","row":1,"col":\#(number)}"#)
  }

  @Test(arguments: [0, 1, 9, 10, 18, 99])
  func `the cells of every board go the quick way`(number: Int) {
    for (row, column) in [(number, 1), (1, number)] {
      let line = #"{"type":"place","row":\#(row),"col":\#(column)}"#
      #expect(
        CommandDecoder.plainPlace(Array(line.utf8).span) == Cell(row: row, column: column))
    }
  }

  @Test func `a line that is cut short or goes on does not go the quick way`() {
    let line = #"{"type":"place","row":1,"col":1}"#
    check(line)
    for count in 0..<line.count {
      #expect(CommandDecoder.plainPlace(Array(line.utf8.prefix(count)).span) == nil)
    }
    for more in ["}", ",", " ", " x", "\u{0}"] {
      #expect(CommandDecoder.plainPlace(Array((line + more).utf8).span) == nil)
    }
  }

  @Test func `a line that differs in any byte is read as any line`() {
    let line = Array(#"{"type":"place","row":1,"col":1}"#.utf8)
    for index in line.indices {
      for byte in [UInt8(ascii: "x"), UInt8(ascii: "\""), UInt8(ascii: "9"), 0x00, 0xFF] {
        var changed = line
        changed[index] = byte
        check(changed)
      }
    }
  }

  private func check(_ line: String) { check(Array(line.utf8)) }

  /// Whatever goes the quick way is the same command as without it.
  private func check(_ line: [UInt8]) {
    guard let cell = CommandDecoder.plainPlace(line.span) else { return }
    #expect(
      (try? decoded(line)) == Request(.place(cell, seq: nil)),
      "\(String(decoding: line, as: UTF8.self))")
  }
}
