import Shared
import Testing

/// A move and a command without fields are decoded on a fast path, with the same result as any
/// line.
struct FastPathTests {
  @Test(arguments: CommandType.allCases, ["", #","id":7"#])
  func `a bare command is decoded as with a space`(type: CommandType, id: String) {
    let plain = #"{"type":"\#(type.rawValue)"\#(id)}"#
    #expect(result(plain) == result(#"{ "type":"\#(type.rawValue)"\#(id)}"#))
    let line = Array(plain.utf8)
    for count in 0..<line.count {
      #expect(throws: LineError.self) { try decoded(Array(line.prefix(max(1, count)))) }
    }
    for index in line.indices {
      for byte in [UInt8(ascii: "x"), UInt8(ascii: "\""), UInt8(ascii: "0"), 0x00, 0xFF] {
        var changed = line
        changed[index] = byte
        // The space takes the line off the fast path and changes nothing else.
        #expect(result(changed) == result(changed.dropLast() + [0x20] + changed.suffix(1)))
      }
    }
  }

  @Test(arguments: Self.numbers)
  func `the id of a bare command is decoded as in any other line`(number: String) {
    let line = #"{"type":"ping","id":\#(number)}"#
    #expect(result(line) == result(line.dropLast() + " }"))
  }

  @Test func `a type that only contains a bare command is unknown`() {
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

  private static let numbers = [
    "0", "1", "9", "10", "19", "99", "100", "-1", "00", "01", "-0", "1.0", "1e1", "", "x", "null",
    "\"1\"", "999999999999999", "1000000000000000", "9007199254740991", "9007199254740992",
    "99999999999999999999", " 1", "1 ",
  ]

  /// The forms of a move that take the fast path.
  enum Form: CaseIterable {
    case bare, withID, spaced, spacedWithID

    var hasID: Bool { self == .withID || self == .spacedWithID }

    func line(row: String = "1", column: String = "1", id: String = "4") -> String {
      let id = hasID ? #""id":\#(id),"# : ""
      let line = #"{"type":"place",\#(id)"row":\#(row),"col":\#(column)}"#
      guard self == .spaced || self == .spacedWithID else { return line }
      return line.replacing(":", with: ": ").replacing(",", with: ", ")
    }
  }

  @Test(arguments: numbers, Form.allCases)
  func `a number in a move is decoded as in any other line`(number: String, form: Form) {
    check(form.line(row: number))
    check(form.line(column: number))
    check(form.line(id: number))
  }

  @Test(arguments: [0, 1, 9, 10, 18, 99], Form.allCases)
  func `the cells of every board take the fast path`(number: Int, form: Form) {
    for (row, column) in [(number, 1), (1, number)] {
      let move = fastMove(form.line(row: "\(row)", column: "\(column)"))
      #expect(move?.command == .place(Cell(row: row, column: column), seq: nil))
      #expect(move?.id == (form.hasID ? .integer(4) : nil))
    }
  }

  @Test(arguments: [0, 1, 10, 999_999_999_999_999])
  func `the ids that a client counts take the fast path`(id: Int) {
    for form in [Form.withID, .spacedWithID] {
      #expect(fastMove(form.line(id: "\(id)"))?.id == .integer(id))
    }
  }

  @Test(arguments: Form.allCases)
  func `a move that is cut short or continues does not take the fast path`(form: Form) {
    let line = form.line()
    check(line)
    for count in 0..<line.count { #expect(fastMove(String(line.prefix(count))) == nil) }
    for more in ["}", ",", " ", " x", "\u{0}"] {
      #expect(fastMove(line + more) == nil)
    }
  }

  @Test(arguments: Form.allCases)
  func `a move that differs in any byte is decoded like any other line`(form: Form) {
    let line = Array(form.line().utf8)
    for index in line.indices {
      for byte in [UInt8(ascii: "x"), UInt8(ascii: "\""), UInt8(ascii: "9"), 0x20, 0x00, 0xFF] {
        var changed = line
        changed[index] = byte
        check(changed)
      }
    }
  }

  private func check(_ line: String) { check(Array(line.utf8)) }

  /// What the fast path decodes is the same command as without it.
  private func check(_ line: [UInt8]) {
    guard let move = fastMove(line) else { return }
    #expect((try? decoded(line)) == move, "\(String(decoding: line, as: UTF8.self))")
  }

  private func fastMove(_ line: String) -> Request? { fastMove(Array(line.utf8)) }

  /// What the fast path makes of a line.
  private func fastMove(_ line: [UInt8]) -> Request? {
    if let cell = CommandDecoder.bareMove(line.span) { return Request(.place(cell, seq: nil)) }
    return CommandDecoder.move(line.span).map { cell, id in
      Request(id: id.map(RequestID.integer), .place(cell, seq: nil))
    }
  }
}
