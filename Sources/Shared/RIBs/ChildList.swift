/// A router's children in the order of attachment; each child knows its position.
final class ChildList {
  private(set) var slots = SlotList<any Routing>()

  var routers: [any Routing] { slots.elements }

  func prefix(_ count: Int) -> [any Routing] { slots.prefix(count) }

  /// `node` is the child, if it is a `RouterNode`; so it is for the functions below.
  func append(_ child: any Routing, _ node: RouterNode?) {
    precondition(
      node.map { !$0.isAttached } ?? (position(of: child, nil) == nil),
      "This router is attached already; detach it first.")
    let position = slots.append(child)
    node?.position = position
  }

  func contains(_ child: any Routing, _ node: RouterNode?) -> Bool {
    position(of: child, node) != nil
  }

  /// Removes a child. Returns false if it was not one.
  func remove(_ child: any Routing, _ node: RouterNode?) -> Bool {
    guard let position = position(of: child, node) else { return false }
    node?.position = nil
    slots.remove(at: position) { child, position in (child as? RouterNode)?.position = position }
    return true
  }

  private func position(of child: any Routing, _ node: RouterNode?) -> Int? {
    // Only tests have routers that are not a `RouterNode`, with few siblings.
    guard let node else { return slots.position { $0 === child } }
    guard let position = node.position, slots[position] === child else { return nil }
    return position
  }
}
