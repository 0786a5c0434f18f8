/// A router's children in the order of attachment. Attaching and detaching cost the same however
/// many siblings there are: each child knows its position, and a detached one leaves a hole; the
/// holes are closed up when they are more than half.
final class ChildList {
  private(set) var slots: [(any Routing)?] = []
  private var holes = 0

  var routers: [any Routing] { slots.compactMap { $0 } }

  func append(_ child: any Routing) {
    let node = child as? RouterNode
    precondition(
      node.map { !$0.isAttached } ?? (position(of: child) == nil),
      "A router was attached that is attached already; detach it first.")
    node?.position = slots.count
    slots.append(child)
  }

  func contains(_ child: any Routing) -> Bool { position(of: child) != nil }

  /// Returns whether it was a child.
  func remove(_ child: any Routing) -> Bool {
    guard let position = position(of: child) else { return false }
    (child as? RouterNode)?.position = nil
    slots[position] = nil
    holes += 1
    closeUp()
    return true
  }

  private func position(of child: any Routing) -> Int? {
    // A router that is no `RouterNode` stands only in tests, where siblings are few.
    guard let node = child as? RouterNode else { return slots.lastIndex { $0 === child } }
    guard let position = node.position, position < slots.count else { return nil }
    return slots[position] === child ? position : nil
  }

  private func closeUp() {
    while let last = slots.last, last == nil {
      slots.removeLast()
      holes -= 1
    }
    guard holes > slots.count / 2 else { return }
    slots.removeAll { $0 == nil }
    holes = 0
    for (position, child) in slots.enumerated() { (child as? RouterNode)?.position = position }
  }
}
