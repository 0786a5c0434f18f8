/// What a search has found about positions that it may reach again by other moves. Each position
/// has one slot, and a newer position takes the slot of an older one.
struct TranspositionTable {
  enum Bound: UInt8 {
    case exact, lower, upper
  }

  struct Entry {
    fileprivate var key: UInt64 = 0
    var value: Int32 = 0
    var depth: Int8 = -1
    var bound = Bound.exact
    /// The best move, as its engine numbers it.
    var move: UInt16 = 0

    /// Whether the value settles a search of a depth within a window.
    func settles(depth: Int, alpha: Int, beta: Int) -> Bool {
      guard Int(self.depth) >= depth else { return false }
      return switch bound {
      case .exact: true
      case .lower: Int(value) >= beta
      case .upper: Int(value) <= alpha
      }
    }
  }

  private var entries: [Entry]

  /// Makes a table with a slot for each of the positions that a search will visit: from 1,024
  /// to 2²⁰ slots of 16 bytes.
  init(maxNodes: Int) {
    var count = 1_024
    while count < min(maxNodes, 1 << 20) { count *= 2 }
    entries = Array(repeating: Entry(), count: count)
  }

  @inline(__always)
  subscript(key: UInt64) -> Entry? {
    let entry = entries[slot(of: key)]
    return entry.key == key && entry.depth >= 0 ? entry : nil
  }

  /// Keeps the value of a position that was searched within a window.
  @inline(__always)
  mutating func keep(_ value: Int, move: Int, depth: Int, alpha: Int, beta: Int, key: UInt64) {
    let bound = value <= alpha ? Bound.upper : value >= beta ? .lower : .exact
    entries[slot(of: key)] = Entry(
      key: key, value: Int32(truncatingIfNeeded: value),
      depth: Int8(truncatingIfNeeded: min(depth, 100)), bound: bound,
      move: UInt16(truncatingIfNeeded: move))
  }

  @inline(__always)
  private func slot(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: key) & (entries.count &- 1)
  }
}
