import Shared
import Testing

/// How texts, numbers and boards are written.
struct EventWritingTests {
  @Test func `only what must be escaped is escaped, and every control character`() throws {
    for value in UInt32(0)...0x2FF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let token = "a\(scalar)z"
      let written = line(.didLogin(name: "ann", token: token))
      let isControl = scalar.properties.generalCategory == .control
      let expected =
        if isControl {
          "\\u00" + (value < 16 ? "0" : "") + String(value, radix: 16)
        } else if scalar == "\"" || scalar == "\\" {
          "\\\(scalar)"
        } else {
          "\(scalar)"
        }
      let whole = "{\"type\":\"didLogin\",\"name\":\"ann\",\"token\":\"a\(expected)z\"}"
      #expect(Array(written.utf8) == Array(whole.utf8))
      #expect(try received(written).event == .didLogin(name: "ann", token: token))
    }
    let plain = "😀é\u{2028}\u{202E}\u{FEFF}中/"
    #expect(line(.didLogin(name: plain, token: nil)).contains("\"\(plain)\""))
  }

  @Test func `numbers of every length are written`() throws {
    for number in [Int.min, -100, -99, -10, -9, -1, 0, 1, 9, 10, 11, 99, 100, 1_000_000, Int.max] {
      #expect(line(.pong, re: .integer(number)) == "{\"type\":\"pong\",\"re\":\(number)}")
      let cell = Cell(row: number, column: number)
      let change = Change(Placement(cell: cell, mark: .o), turn: .x, hash: .max)
      let written = line(EventCodecTests.match(number, .boardDidChange(change)))
      #expect(
        written == """
          {"type":"boardDidChange","match":"7q2k","seq":\(number),"cells":[{"row":\(number),\
          "col":\(number),"mark":"O"}],"turn":"X","hash":"ffffffff"}
          """)
    }
  }

  @Test func `a large board and a long match id are written whole`() throws {
    let id = String(repeating: "\u{1}", count: 300)
    let cells = (0..<361).map { Cell(row: .min, column: .min + $0) }
    let change = Change(Placement(cell: cells[0], mark: .x), turn: .x, open: cells, hash: 0)
    let event = MatchEvent(match: id, seq: .min, .boardDidChange(change))
    let written = line(.match(event))
    #expect(written.utf8.count > 361 * 43)
    #expect(written.hasSuffix(#"]],"hash":"00000000"}"#))
    #expect(written.components(of: "[\(Int.min),") == 361)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
