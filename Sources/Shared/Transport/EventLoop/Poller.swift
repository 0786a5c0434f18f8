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

  /// Waits for something to happen, for so many milliseconds at most, or with -1 for ever, and at most
  /// until a signal interrupts.
  /// - Returns: How many events there are, at most `maxEvents`; more come with the next wait, those
  ///   that have not come for the longest time first.
  func wait(milliseconds: Int32) throws(SystemError) -> Int

  /// How many events one wait finds at most.
  var maxEvents: Int { get }

  /// An event of the last wait.
  func event(at index: Int) -> PollerEvent
}

/// A descriptor that became ready.
package struct PollerEvent: Sendable {
  package let token: UInt64
  package let readiness: Readiness
}
