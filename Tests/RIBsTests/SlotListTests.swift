import TestSupport
import Testing

@testable import RIBs

@Suite struct SlotListTests {
  private final class Item {
    let number: Int
    var position = -1

    init(_ number: Int) { self.number = number }
  }

  @Test(arguments: 0..<4)
  func `every element of the list knows its position`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var list = SlotList<Item>()
    var model: [Item] = []
    for number in 0..<3_000 {
      if Bool.random(using: &random) || model.isEmpty {
        let item = Item(number)
        item.position = list.append(item)
        model.append(item)
      } else {
        let item = model.remove(at: Int.random(in: model.indices, using: &random))
        list.remove(at: item.position) { $0.position = $1 }
      }
      #expect(list.count == model.count)
      #expect(list.slotCount <= 2 * model.count + 1)
    }
    #expect(list.elements.map(\.number) == model.map(\.number))
    #expect(model.allSatisfy { list[$0.position] === $0 })
  }

  @Test func `a hole and a position out of bounds have no element`() {
    var list = SlotList<Int>()
    let positions = (0..<4).map { list.append($0) }
    list.remove(at: positions[1]) { _, _ in Issue.record("nothing moves yet") }
    list.remove(at: positions[1]) { _, _ in Issue.record("nothing is removed twice") }
    #expect(list[positions[1]] == nil)
    #expect(list[99] == nil)
    #expect(list[-1] == nil)
    #expect(list.elements == [0, 2, 3])
    #expect((0...4).map { list.prefix($0) } == [[], [0], [0, 2], [0, 2, 3], [0, 2, 3]])
    #expect(list.position { $0 == 2 } == positions[2])
  }
}
