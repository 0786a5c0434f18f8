/// The answer to `list`: as many items as fit into one line.
package struct ItemList<Item> {
  package let items: [Item]
  /// How many items did not fit.
  package let more: Int

  package init(_ items: [Item], more: Int = 0) {
    self.items = items
    self.more = more
  }
}

extension ItemList: Equatable where Item: Equatable {}
extension ItemList: Sendable where Item: Sendable {}
