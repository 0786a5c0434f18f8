/// A router's children in the order of attachment; each child knows its position.
final class ChildList {
  private(set) var slots = SlotList<any Routing>()

  var routers: [any Routing] { slots.elements }

  func prefix(_ count: Int) -> [any Routing] { slots.prefix(count) }

  func append(_ child: any Routing) {
    let node = child as? RouterNode
    precondition(
      node.map { !$0.isAttached } ?? (position(of: child) == nil),
      "A router was attached that is attached already; detach it first.")
    let position = slots.append(child)
    node?.position = position
  }

  func contains(_ child: any Routing) -> Bool { position(of: child) != nil }

  /// Returns whether it was a child.
  func remove(_ child: any Routing) -> Bool {
    guard let position = position(of: child) else { return false }
    (child as? RouterNode)?.position = nil
    slots.remove(at: position) { child, position in (child as? RouterNode)?.position = position }
    return true
  }

  private func position(of child: any Routing) -> Int? {
    // A router that is no `RouterNode` stands only in tests, where siblings are few.
    guard let node = child as? RouterNode else { return slots.position { $0 === child } }
    guard let position = node.position, slots[position] === child else { return nil }
    return position
  }
}
