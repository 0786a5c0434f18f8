import Shared
import Testing

/// A move without a space takes a shorter way through the decoder; it must lead to the same place.
struct PlainPlaceTests {
  @Test(arguments: [
    "0", "1", "9", "10", "19", "99", "100", "-1", "00", "01", "-0", "1.0", "1e1", "", "x", "null",
    "\"1\"", "9007199254740992", " 1", "1 ",
  ])
  func `a number is read as in the same line with spaces`(number: String) {
    for line in [
      #"{"type":"place","row":\#(number),"col":1}"#, #"{"type":"place","row":1,"col":\#(number)}"#,
    ] {
      let spaced = line.replacing(":", with: ": ")
      #expect(answer(line) == answer(spaced), "\(line)")
    }
  }

  @Test func `every line that is cut short or goes on is refused as with spaces`() {
    let line = #"{"type":"place","row":1,"col":1}"#
    for count in 1..<line.count {
      let cut = String(line.prefix(count))
      #expect(answer(cut) == answer(" \(cut) "), "\(cut)")
    }
    for more in ["}", ",", " x", "\u{0}"] {
      #expect(answer(line + more) == answer(" \(line)\(more)"), "\(more)")
    }
  }

  @Test func `a line that differs in any byte is read as with spaces`() {
    let line = Array(#"{"type":"place","row":1,"col":1}"#.utf8)
    for index in line.indices {
      for byte in [UInt8(ascii: "x"), UInt8(ascii: "\""), UInt8(ascii: "9"), 0x00, 0xFF] {
        var changed = line
        changed[index] = byte
        #expect(answer(changed) == answer([0x20] + changed), "\(byte) at \(index)")
      }
    }
  }

  private func answer(_ line: String) -> Result<Request?, LineError> { answer(Array(line.utf8)) }

  private func answer(_ line: [UInt8]) -> Result<Request?, LineError> {
    var decoder = CommandDecoder()
    return Result { () throws(LineError) in try decoder.decode(line.span) }
  }
}
