import Shared
import Testing

@testable import Client

/// The list of keys on screens of all sizes.
@Suite struct KeyListTests {
  private let keys = (1...14).map { KeyHelp("key \($0)", "a meaning of some length, number \($0)") }

  @Test func `a list that does not fit scrolls to every line`() {
    let size = GameLayout.minimumSize
    var list = KeyList(keys)
    var seen: Set<String> = []
    for _ in 0..<40 {
      var frame = Frame(size: size)
      list.draw(into: &frame)
      for line in frame.lines {
        seen.formUnion(keys.map(\.keys).filter { line.contains("\($0) ") })
      }
      #expect(list.press(.down, in: size) == true)
    }
    #expect(seen == Set(keys.map(\.keys)))
    var frame = Frame(size: size)
    list.draw(into: &frame)
    #expect(frame.position(of: "number 14") != nil)
    #expect(frame.position(of: "↑") != nil)
    #expect(list.press(.home, in: size) == true)
    #expect(list.press(.pageDown, in: size) == true)
    #expect(list.press(.end, in: size) == true)
    #expect(list.press(.escape, in: size) == false)
  }

  @Test(arguments: [Size.usual, Size(rows: 8, columns: 40), Size(rows: 30, columns: 40)])
  func `a click on a line is its key`(size: Size) throws {
    let meanings = ["make a move, in words that take two lines", "leave", "resign"]
    var list = KeyList(
      zip(["arrows, h j k l", "q, Esc", "r"], meanings).map { KeyHelp($0, $1) }
        + (1...5).map { KeyHelp("key \($0)", "meaning") })
    for _ in 0..<3 {
      var frame = Frame(size: size)
      list.draw(into: &frame)
      for (text, key) in [("resign", Key.character("r")), ("leave", .character("q"))] {
        guard let position = frame.position(of: text) else { continue }
        #expect(list.key(at: position, in: size) == key)
        #expect(list.key(at: Position(row: position.row, column: 0), in: size) == nil)
      }
      for text in ["make", "key 2", "Keys"] {
        guard let position = frame.position(of: text) else { continue }
        #expect(list.key(at: position, in: size) == nil)
      }
      if !list.press(.down, in: size) { break }
    }
    #expect(list.key(at: Position(row: 0, column: 0), in: size) == nil)
  }

  @Test func `a list that fits is closed by any key`() {
    var list = KeyList(keys)
    for key in [Key.down, .pageUp, .end, .character("x")] {
      #expect(list.press(key, in: .usual) == false)
    }
  }
}
