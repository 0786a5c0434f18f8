/// Which item of a list is selected, while the list changes around it: it moves by the keys only.
struct OffGameSelection: Equatable {
  private var item: OffGameItem?
  /// Where in the list that was.
  private var place = 0

  /// The one that is selected; what came in the place of one that has gone, if need be.
  func item(in items: [OffGameItem]) -> OffGameItem? {
    guard let item, !items.isEmpty else { return nil }
    return items.contains(item) ? item : items[min(place, items.count - 1)]
  }

  mutating func select(_ item: OffGameItem, in items: [OffGameItem]) {
    self.item = item
    place = items.firstIndex(of: item) ?? 0
  }

  /// Goes as far as the list does; where nothing is selected, to its first item.
  mutating func move(by steps: Int, in items: [OffGameItem]) {
    guard let first = items.first else { return }
    guard let index = item(in: items).flatMap({ items.firstIndex(of: $0) }) else {
      return select(first, in: items)
    }
    select(items[min(max(0, index + steps), items.count - 1)], in: items)
  }
}
