/// The bound of a search, in nodes or playouts and never in time, so that a seed replays it.
struct SearchLimit {
  /// How many nodes the search has left; a test sees whether it has stopped early.
  private(set) var nodesLeft: Int
  /// The search must end with what it has.
  private(set) var isReached = false
  private let isCancelled: () -> Bool

  /// `isCancelled` is called every 1,024 nodes, on the thread of the search.
  init(maxNodes: Int, isCancelled: @escaping () -> Bool) {
    nodesLeft = maxNodes
    self.isCancelled = isCancelled
  }

  /// Counts one node. Returns `false` if the search must end before it.
  @inline(__always)
  mutating func count() -> Bool {
    guard nodesLeft > 0, !isReached else {
      isReached = true
      return false
    }
    nodesLeft &-= 1
    if nodesLeft & 1_023 == 0, isCancelled() { isReached = true }
    return !isReached
  }
}

/// SplitMix64 by Sebastiano Vigna: fast, good enough for games, and the same on each machine.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  @inline(__always)
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// Returns a number below `count`, which has up to 32 bits.
  @inline(__always)
  mutating func index(below count: Int) -> Int {
    Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: count)) >> 32)
  }

  /// Spreads the bits of a number over all 64: the hash of a position.
  @inline(__always)
  static func mix(_ number: UInt64) -> UInt64 {
    var bits = number
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
