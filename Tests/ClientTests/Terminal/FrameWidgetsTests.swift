import Shared
import Testing

@testable import Client

@Suite struct FrameWidgetsTests {
  @Test func `a header shows the names on the right, truncated to fit`() {
    var frame = Frame(rows: 1, columns: 20)
    frame.writeHeader("Title", "김철수")
    #expect(frame.lines == [" Title       김철수 "])
    var narrow = Frame(rows: 1, columns: 14)
    narrow.writeHeader("Title", "김철수 and Ann")
    #expect(narrow.lines == [" Title  김철… "])
  }

  @Test func `a dialog is centred over the content and stays within the frame`() {
    var frame = Frame(rows: 5, columns: 26)
    frame.fill(at: Position(row: 0, column: 0), size: frame.size, with: ".")
    frame.writeDialog(["one", "한국"], title: "Two")
    #expect(
      frame.lines == [
        "..┌─ Two ──────────────┐..", "..│  one               │..",
        "..│  한국              │..", "..└────────────────────┘..", "..........................",
      ])
    var small = Frame(rows: 3, columns: 8)
    small.writeDialog(["a long line", "another"])
    #expect(small.lines == ["┌──────┐", "│  a…  │", "└──────┘"])
  }

  @Test func `a footer leaves out keys that do not fit, but never the last one`() {
    let keys = [KeyHelp("a", "one"), KeyHelp("b", "two"), KeyHelp("?", "keys")]
    var frame = Frame(rows: 1, columns: 24)
    frame.writeFooter(keys)
    #expect(frame.lines == [" a one · b two · ? keys "])
    var narrow = Frame(rows: 1, columns: 23)
    narrow.writeFooter(keys)
    #expect(narrow.lines == [" a one · ? keys        "])
  }

  @Test func `a narrow footer first leaves out what cannot be clicked`() {
    let keys = [
      KeyHelp("arrows", "move"), KeyHelp("Enter 1–9", "place"), KeyHelp("q, Esc", "leave"),
      KeyHelp("r", "resign"), KeyHelp("?", "keys"),
    ]
    func line(_ columns: Int) -> String {
      var frame = Frame(rows: 1, columns: columns)
      frame.writeFooter(keys)
      return frame.lines[0].trimmed
    }
    #expect(line(67) == "arrows move · Enter 1–9 place · q, Esc leave · r resign · ? keys")
    #expect(line(65) == "arrows move · Enter 1–9 place · q, Esc leave · ? keys")
    // On a screen as narrow as that of a phone, what it cannot type goes first.
    #expect(line(59) == "Enter 1–9 place · q, Esc leave · r resign · ? keys")
    #expect(line(51) == "Enter 1–9 place · q, Esc leave · ? keys")
    #expect(line(2 + 24) == "Enter 1–9 place · ? keys")
    var question = Frame(rows: 1, columns: 20)
    question.writeFooter([KeyHelp("y", "yes"), KeyHelp("any other key", "no")])
    #expect(question.lines[0].trimmed == "y yes")
    #expect(keys.map(\.key) == [nil, .enter, .character("q"), .character("r"), .character("?")])
  }

  @Test func `a spinner changes with each tick`() {
    let pictures = (0..<10).map { tick in
      var frame = Frame(size: Size(rows: 1, columns: 1), tick: tick)
      frame.writeSpinner(at: Position(row: 0, column: 0))
      #expect(frame.isAnimated)
      return frame.lines[0]
    }
    #expect(Set(pictures).count == 10)
  }
}
