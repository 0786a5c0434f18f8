/// A list in insertion order whose elements know their positions. Removing one takes the same time
/// in a list of any length: it leaves a hole. When more than half of the slots are holes, the list
/// is compacted.
///
/// Public, so that each module can specialize it for its own elements. Unspecialized code takes ten
/// times as long.
public struct SlotList<Element> {
  @usableFromInline var slots: [Element?] = []
  @usableFromInline var holes = 0

  @inlinable public init() {}

  @inlinable public var count: Int { slots.count - holes }

  /// The number of positions, including holes.
  var slotCount: Int { slots.count }

  @inlinable public var elements: [Element] { slots.compactMap { $0 } }

  /// Returns the first elements, up to `count`. The cost depends on these elements and on the holes
  /// between them, not on the number of elements that follow.
  @inlinable public func prefix(_ count: Int) -> [Element] {
    var first: [Element] = []
    first.reserveCapacity(Swift.min(count, self.count))
    for case let element? in slots {
      guard first.count < count else { break }
      first.append(element)
    }
    return first
  }

  /// The element at a position; `nil` for a hole, and for a position out of range.
  @inlinable public subscript(position: Int) -> Element? {
    position >= 0 && position < slots.count ? slots[position] : nil
  }

  /// The position of the last element for which `fits` returns true.
  @inlinable public func position(where fits: (Element) -> Bool) -> Int? {
    slots.lastIndex { $0.map(fits) ?? false }
  }

  /// Appends an element and returns its position.
  @inlinable public mutating func append(_ element: Element) -> Int {
    slots.append(element)
    return slots.count - 1
  }

  /// Removes the element at a position. Calls `didMove` with each element that moves, and with its
  /// new position.
  @inlinable public mutating func remove(at position: Int, didMove: (Element, Int) -> Void) {
    guard self[position] != nil else { return }
    slots[position] = nil
    holes += 1
    while let last = slots.last, last == nil {
      slots.removeLast()
      holes -= 1
    }
    guard holes > slots.count / 2 else { return }
    slots.removeAll { $0 == nil }
    holes = 0
    for (position, element) in slots.enumerated() {
      if let element { didMove(element, position) }
    }
  }
}
