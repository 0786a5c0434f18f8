import Testing

@testable import Client

/// The hints of the last row as buttons.
@Suite struct FrameHintTests {
  private func key(at column: Int, row: Int = 4) -> Key? {
    var frame = Frame(size: Size(rows: 5, columns: 70))
    frame.writeFooter([
      KeyHelp("Esc", "stop waiting"), KeyHelp("arrows", "choose"), KeyHelp("Enter", "go"),
      KeyHelp("q", "quit"), KeyHelp("?", "keys"),
    ])
    return frame.hint(at: Position(row: row, column: column))
  }

  @Test func `a click on a hint is its key`() {
    // " Esc stop waiting · arrows choose · Enter go · q quit · ? keys"
    #expect(key(at: 1) == .escape)
    #expect(key(at: 10) == .escape)
    #expect(key(at: 38) == .enter)
    #expect(key(at: 50) == .character("q"))
  }

  @Test func `a click beside the hints is none, nor one on a hint without a key`() {
    #expect(key(at: 0) == nil)
    #expect(key(at: 18) == nil)
    #expect(key(at: 22) == nil)
    #expect(key(at: 1, row: 3) == nil)
    #expect(key(at: 100) == nil)
  }
}
