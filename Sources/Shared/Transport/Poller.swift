/// The system's way of waiting for many descriptors, level-triggered. Owned and called by an
/// `EventLoop` alone; each system's poller implements these few functions.
package protocol Poller: AnyObject {
  /// Starts to watch. A descriptor that the system cannot wait for, such as a regular file, is
  /// always ready. The token comes back with each event.
  func add(_ descriptor: Int32, for interest: Interest, token: UInt64) throws(SystemError)

  /// The descriptor must have been added.
  func change(
    _ descriptor: Int32, to interest: Interest, token: UInt64
  ) throws(SystemError)

  /// Called before the descriptor is closed. Events that the last wait found may still name it.
  func remove(_ descriptor: Int32)

  /// Waits for something to happen: for ever where `time` is `nil`, and at most until a signal
  /// interrupts. Times are rounded up to whole milliseconds.
  /// - Returns: How many events there are, some hundreds at most; more come with the next wait.
  func wait(atMost time: Duration?) throws(SystemError) -> Int

  /// An event of the last wait.
  func event(at index: Int) -> PollerEvent
}

/// A descriptor that became ready.
package struct PollerEvent: Sendable {
  package let token: UInt64
  package let readiness: Readiness
}

extension Duration {
  /// For `poll` and `epoll_wait`: rounded up, so that a timer is due when the wait is over.
  var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    let millisecond: Int64 = 1_000_000_000_000_000
    return Int32(max(0, seconds * 1000 + (attoseconds + millisecond - 1) / millisecond))
  }
}
