/// The connections with unsent output, which are flushed at the end of the turn, and the buffers
/// that a loop shares with its connections. A separate object, because connections use it several
/// times a turn, and must not hold the loop, which holds them.
final class FlushQueue {
  /// The buffer of all reads. Its bytes are valid until the handler that read them returns.
  let receiveBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16_384)
  var buffers = BufferPool()
  let gate = OutputGate()
  /// Whether output has to wait for `gate`, and whether it has something to store. They stand here
  /// because each move looks at them, and the gate would have to be retained for that.
  var isHeld = false
  var needsCommit = false
  // Not an array, which would check at each step that it is uniquely referenced. The elements from
  // `next` up to `count` are initialized.
  private var connections = UnsafeMutablePointer<TCPConnection>.allocate(capacity: 64)
  private var capacity = 64
  private var next = 0
  private var count = 0

  init() { gate.queue = self }

  deinit {
    clear()
    connections.deallocate()
    receiveBuffer.deallocate()
  }

  func add(_ connection: TCPConnection) {
    if count == capacity { grow() }
    (connections + count).initialize(to: connection)
    count &+= 1
  }

  @inline(never)
  private func grow() {
    let larger = UnsafeMutablePointer<TCPConnection>.allocate(capacity: 2 * capacity)
    (larger + next).moveInitialize(from: connections + next, count: count - next)
    connections.deallocate()
    connections = larger
    capacity *= 2
  }

  var isEmpty: Bool { count == 0 }

  /// Flushes all connections. A connection may add others meanwhile, and also itself, as long as
  /// the system takes its output.
  func run() {
    while next < count {
      let connection = (connections + next).move()
      next &+= 1
      connection.flushAtTurnEnd()
    }
    next = 0
    count = 0
    // What nobody was told has to be stored too.
    if needsCommit { gate.commit() }
  }

  /// Releases all connections without flushing them.
  func clear() {
    gate.clear()
    let rest = next..<count
    next = 0
    count = 0
    (connections + rest.lowerBound).deinitialize(count: rest.count)
  }
}
