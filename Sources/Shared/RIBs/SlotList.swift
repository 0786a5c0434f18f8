/// Elements in the order in which they came, each known by its position, so that taking one out
/// costs the same however many there are: it leaves a hole, and the holes are closed up when they
/// are more than half.
///
/// Public, for only then can each module have it made for its own elements; made for any element at
/// all it costs ten times as much.
public struct SlotList<Element> {
  @usableFromInline var slots: [Element?] = []
  @usableFromInline var holes = 0

  @inlinable public init() {}

  @inlinable public var count: Int { slots.count - holes }

  /// How many positions there are, holes included.
  var slotCount: Int { slots.count }

  @inlinable public var elements: [Element] { slots.compactMap { $0 } }

  /// Returns the first elements, up to `count`. The cost depends on these and on the holes between
  /// them, not on how many elements follow.
  @inlinable public func prefix(_ count: Int) -> [Element] {
    var first: [Element] = []
    first.reserveCapacity(Swift.min(count, self.count))
    for case let element? in slots {
      guard first.count < count else { break }
      first.append(element)
    }
    return first
  }

  /// The element at a position; `nil` where there is none.
  @inlinable public subscript(position: Int) -> Element? {
    position >= 0 && position < slots.count ? slots[position] : nil
  }

  /// The position of the last element that fits.
  @inlinable public func position(where fits: (Element) -> Bool) -> Int? {
    slots.lastIndex { $0.map(fits) ?? false }
  }

  /// Answers the position of the new element.
  @inlinable public mutating func append(_ element: Element) -> Int {
    slots.append(element)
    return slots.count - 1
  }

  /// Takes out what stands at a position; calls `didMove` for each element whose position changes
  /// by that.
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
