/// Called once at the end of a turn, for what gathered during the turn.
package protocol TurnEndHandler: AnyObject {
  func turnWillEnd()
}

/// What the turns of a loop share with its connections: what is read into, and, left for the end of
/// the turn, who has something to send, and the buffers in which it waits. The loop owns it; its
/// connections hold it too, which must not hold the loop that holds them, and come here several times
/// a turn.
final class TurnEnd {
  /// What one read takes in. Its bytes hold until the handler that read them returns.
  let receiveBuffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)
  var buffers = BufferPool()
  /// The first `count` are there.
  private var handlers: [(any TurnEndHandler)?] = []
  private var count = 0

  deinit { receiveBuffer.deallocate() }

  func add(_ handler: any TurnEndHandler) {
    if count == handlers.count { handlers.append(handler) } else { handlers[count] = handler }
    count += 1
  }

  // Handlers may add others, and themselves again; a connection does so only as long as the system
  // takes what it sends.
  func run() {
    var index = 0
    while index < count {
      handlers[index].take()?.turnWillEnd()
      index += 1
    }
    count = 0
  }

  /// Forgets all, so that nobody holds anybody any more.
  func clear() {
    handlers = []
    count = 0
  }
}
