/// The answer to `list`: as many items as fit into one line.
package struct Page<Item> {
  package let items: [Item]
  /// How many items did not fit.
  package let more: Int

  package init(_ items: [Item], more: Int = 0) {
    self.items = items
    self.more = more
  }
}

extension Page: Equatable where Item: Equatable {}
extension Page: Sendable where Item: Sendable {}
