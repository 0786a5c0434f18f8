/// Holds the output of all connections of a loop until what it says has been stored. While the gate
/// is open, it costs a connection one comparison: what a connection looks at stands in its
/// `FlushQueue`.
package final class OutputGate {
  /// Stores what the output of this turn depends on. Called before output leaves, and at the end of
  /// the turn, if `needsCommit`. It calls `open` if all output may leave now, and otherwise
  /// `advance` later.
  package var onCommit: () -> Void = {}
  /// The queue of the loop, which owns the gate; `nil` if there is no loop.
  unowned var queue: FlushQueue?
  /// The number of the last commit, and of the last one that is certainly stored.
  package private(set) var committed = 0
  private var stored = 0
  /// How often the gate has opened. What waited before does not wait any more.
  fileprivate var openings: UInt32 = 0
  /// The connections whose output waits.
  private var waiting: [TCPConnection] = []

  package init() {}

  /// Whether output has to wait.
  package var isHeld: Bool { queue?.isHeld ?? false }

  /// Whether something has to be stored before the end of the turn.
  package var needsCommit: Bool { queue?.needsCommit ?? false }

  /// Something has to be stored with the next commit. With `isClosing`, output waits for it.
  @inline(__always)
  package func close(_ isClosing: Bool) {
    guard let queue else { return }
    queue.needsCommit = true
    if isClosing { queue.isHeld = true }
  }

  func commit() {
    queue?.needsCommit = false
    committed += 1
    onCommit()
  }

  /// All output may leave.
  package func open() { advance(to: committed) }

  /// The commits up to a number are stored.
  package func advance(to commit: Int) {
    stored = commit
    if let queue, stored == committed, !queue.needsCommit {
      queue.isHeld = false
      openings &+= 1
    }
    let connections = waiting
    waiting = []
    for connection in connections { connection.gateDidAdvance() }
  }

  /// Whether the output that was queued before a commit may leave.
  package func hasStored(_ commit: Int) -> Bool { commit <= stored }

  /// Lets a connection try again when `stored` has advanced.
  func add(_ connection: TCPConnection) { waiting.append(connection) }

  func clear() { waiting = [] }
}

/// Which bytes of a connection's output wait for a commit. Bytes that are queued meanwhile wait for
/// a later one, so that a connection with new output in each turn still gets rid of its old output.
struct HeldOutput {
  /// The number of the first bytes of the output that wait for `commit`; 0 if none do. They have
  /// left if the gate has opened since `opening`.
  private var count = 0
  private var commit = 0
  private var opening: UInt32 = 0
  /// Whether the gate will call the connection.
  var isWaiting = false

  /// Returns how many of the first bytes of the output may leave now. If no bytes wait yet, all of
  /// them do from now on.
  mutating func released(of unsent: Int, by gate: OutputGate) -> Int {
    if !isHolding(by: gate) {
      count = unsent
      commit = gate.committed
      opening = gate.openings
    }
    return gate.hasStored(commit) ? count : 0
  }

  /// Whether some bytes wait for a commit.
  private func isHolding(by gate: OutputGate) -> Bool { count > 0 && opening == gate.openings }

  mutating func remove(_ sent: Int) { count -= sent }

  mutating func removeAll() { count = 0 }
}
