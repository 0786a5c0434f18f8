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

  @Test func `a list that fits is closed by any key`() {
    var list = KeyList(keys)
    for key in [Key.down, .pageUp, .end, .character("x")] {
      #expect(list.press(key, in: .usual) == false)
    }
  }
}
