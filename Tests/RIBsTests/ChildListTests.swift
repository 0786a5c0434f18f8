import Testing

@testable import RIBs

@Suite struct ChildListTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `the order is right after any attachments and detachments`(
    seed: UInt64
  ) {
    var random = Lottery(seed: seed)
    let list = ChildList()
    var model: [any Routing] = []
    var outside: [any Routing] = (0..<40).map { _ in RecordingRouter() }
    outside += (0..<5).map { _ in RoutingMock() }
    for _ in 0..<4_000 {
      // Long runs of attachments and of detachments, so that the list is sometimes full and
      // sometimes empty.
      let grows = random.next(below: 8) < (random.turns / 400 % 2 == 0 ? 5 : 3)
      if grows, !outside.isEmpty {
        let child = outside.remove(at: random.next(below: outside.count))
        list.append(child)
        model.append(child)
      } else if !model.isEmpty {
        let child = model.remove(at: random.next(below: model.count))
        let isRemoved = list.remove(child)
        #expect(isRemoved)
        outside.append(child)
      }
      #expect(list.routers.map(ObjectIdentifier.init) == model.map(ObjectIdentifier.init))
      #expect(model.allSatisfy(list.contains) && !outside.contains(where: list.contains))
      #expect(list.slots.slotCount <= 2 * model.count + 1)
    }
  }

  @Test func `removing a router that is not a child, or a child twice, does nothing`() {
    let (list, other) = (ChildList(), ChildList())
    let (child, stranger) = (RecordingRouter(), RecordingRouter())
    list.append(child)
    other.append(stranger)
    let results = [list.remove(stranger), list.remove(child), list.remove(child)]
    #expect(results == [false, true, false])
    #expect(other.contains(stranger))
  }

  @Test(
    "a detach visits as few slots among 20,000 siblings as among 100",
    arguments: Order.allCases, [100, 20_000])
  func visits(order: Order, siblings: Int) {
    var random = Lottery(seed: 7)
    let list = ChildList()
    var children = (0..<siblings).map { _ in RecordingRouter() }
    for child in children { list.append(child) }
    var (oldest, visited) = (0, 0)
    let turns = 3 * siblings
    for _ in 0..<turns {
      let index: Int
      switch order {
      case .firstIn: index = oldest
      case .lastIn: index = siblings - 1
      case .random: index = random.next(below: siblings)
      }
      oldest = (oldest + 1) % siblings
      let before = list.slots.slotCount
      _ = list.remove(children[index])
      // Compacting visits each slot, and removing the last child visits one. Where either may have
      // happened, the larger number counts.
      visited += before - list.slots.slotCount > 1 ? before : 1
      children[index] = RecordingRouter()
      list.append(children[index])
    }
    #expect(Double(visited) / Double(turns) <= 3)
    #expect(list.routers.count == siblings)
  }

  enum Order: CaseIterable { case firstIn, lastIn, random }
}

/// Pseudo-random numbers, the same for the same seed.
private struct Lottery {
  private var state: UInt64
  private(set) var turns = 0

  init(seed: UInt64) { state = seed }

  mutating func next(below limit: Int) -> Int {
    turns += 1
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}

extension ChildList {
  fileprivate func append(_ child: any Routing) { append(child, child as? RouterNode) }

  fileprivate func contains(_ child: any Routing) -> Bool {
    contains(child, child as? RouterNode)
  }

  fileprivate func remove(_ child: any Routing) -> Bool { remove(child, child as? RouterNode) }
}
