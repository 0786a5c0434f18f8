/// The system's way of waiting for many descriptors, level-triggered. Owned and called by an
/// `EventLoop` alone; each system's poller implements these few functions.
package protocol Poller: AnyObject {
  /// Starts to watch. A descriptor that the system cannot wait for, such as a regular file, is
  /// always ready. The token comes back with each event.
  func add(_ descriptor: Int32, for interest: Interest, token: UInt64) throws(SystemError)

  /// The descriptor must have been added.
  func modify(
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

/// What a descriptor is watched for.
package struct Interest: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = Interest(rawValue: 1)
  package static let writable = Interest(rawValue: 2)
}

/// What a watched descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = Readiness(rawValue: 1)
  package static let writable = Readiness(rawValue: 2)
  /// Hung up or failed. Reported whatever the interest is, the empty one too, for as long as it
  /// holds: who can do nothing about it cancels the watch, or the loop spins.
  package static let hangUp = Readiness(rawValue: 4)
}

/// A descriptor as an `EventLoop` watches it. Descriptors are used again as soon as they are
/// closed; the generation tells the old one's events from the new one's.
package struct Watch: Equatable, Sendable {
  package let descriptor: Int32
  let generation: UInt32

  init(descriptor: Int32, generation: UInt32) {
    self.descriptor = descriptor
    self.generation = generation
  }

  init(token: UInt64) {
    descriptor = Int32(truncatingIfNeeded: token)
    generation = UInt32(truncatingIfNeeded: token >> 32)
  }

  var token: UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }
}
