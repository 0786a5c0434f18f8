/// What the turns of a loop share with its connections: what is read into, and, left for the end of
/// the turn, who has something to send, and the blocks in which it waits. The loop owns it; its
/// connections hold it too, which must not hold the loop that holds them, and come here several times
/// a turn.
final class FlushQueue {
  /// What one read takes in. Its bytes hold until the handler that read them returns.
  let receiveBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16_384)
  var buffers = BufferPool()
  // Not an array, which would ask at each step whether somebody else has it too. Those from `next` up
  // to `count` are there.
  private var connections = UnsafeMutablePointer<TCPConnection>.allocate(capacity: 64)
  private var capacity = 64
  private var next = 0
  private var count = 0

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

  // One may add others, and itself again, which it does only as long as the system takes what it
  // sends.
  func run() {
    while next < count {
      let connection = (connections + next).move()
      next &+= 1
      connection.flushAtTurnEnd()
    }
    next = 0
    count = 0
  }

  /// Forgets all, so that nobody holds anybody any more.
  func clear() {
    let rest = next..<count
    next = 0
    count = 0
    (connections + rest.lowerBound).deinitialize(count: rest.count)
  }
}
