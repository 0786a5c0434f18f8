/// Which item of a list is selected, while the list changes around it: it moves by the keys only.
/// Nothing is selected in a new list, and where the selected item has gone; so a key that was meant
/// for what stood there before starts nothing.
struct OffGameSelection: Equatable {
  private var item: OffGameItem?
  /// Where in the list that was.
  private var place = 0

  func item(in items: [OffGameItem]) -> OffGameItem? {
    item.flatMap { items.contains($0) ? $0 : nil }
  }

  mutating func select(_ item: OffGameItem, in items: [OffGameItem]) {
    self.item = item
    place = items.firstIndex(of: item) ?? 0
  }

  /// Goes as far as the list does; where nothing is selected, to where that was.
  mutating func move(by steps: Int, in items: [OffGameItem]) {
    guard !items.isEmpty else { return }
    let index = item(in: items).flatMap { items.firstIndex(of: $0) }.map { $0 + steps } ?? place
    select(items[min(max(0, index), items.count - 1)], in: items)
  }
}
