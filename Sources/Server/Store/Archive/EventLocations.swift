/// Where the events of a match are in the journal, in order. Each takes two or three bytes: the
/// distance from the one before, seven bits a byte, with the eighth set in all but the last byte.
struct EventLocations {
  private var bytes: [UInt8] = []
  private var last: UInt64 = 0
  private(set) var count = 0

  /// Appends a location after the last one.
  mutating func append(_ position: JournalPosition) {
    let location = UInt64(position.segment) << 32 | UInt64(position.offset)
    var distance = location - last
    while distance > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: distance) | 0x80)
      distance >>= 7
    }
    bytes.append(UInt8(distance))
    last = location
    count += 1
  }

  func forEach(_ body: (JournalPosition) throws -> Void) rethrows {
    var (location, distance, shift): (UInt64, UInt64, UInt64) = (0, 0, 0)
    for byte in bytes {
      distance |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 else { continue }
      location += distance
      try body(
        JournalPosition(segment: Int(location >> 32), offset: Int(location & 0xFFFF_FFFF)))
      (distance, shift) = (0, 0)
    }
  }
}

/// The id of a match in the bytes of a record, of which each has seven bits: cheaper to make and to
/// compare than a string.
struct MatchKey: Hashable {
  private let bits: UInt64

  /// `nil` for an id that no match has: `MatchID` makes them of up to 9 letters.
  init?(_ id: some Collection<UInt8>) {
    guard id.count <= 9 else { return nil }
    var bits: UInt64 = 0
    for byte in id {
      guard byte < 0x80 else { return nil }
      bits = bits << 7 | UInt64(byte)
    }
    self.bits = bits
  }

  init?(_ id: String) { self.init(id.utf8) }
}
