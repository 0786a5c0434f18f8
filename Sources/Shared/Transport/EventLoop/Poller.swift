/// Waits for events of many descriptors, level-triggered. Only an `EventLoop` owns and calls it.
package protocol Poller: AnyObject {
  /// Starts to watch a descriptor. A descriptor that the system cannot wait for, such as a regular
  /// file, is always ready. Each event carries the token.
  ///
  /// - Throws: if the system cannot watch the descriptor.
  func add(_ descriptor: Int32, for interest: Interest, token: UInt64) throws(SystemError)

  /// Changes the interest and the token of a descriptor, which must have been added.
  ///
  /// - Throws: if the system has no memory for the change.
  func modify(
    _ descriptor: Int32, to interest: Interest, token: UInt64
  ) throws(SystemError)

  /// Stops watching a descriptor. Called before it is closed. Events of the last wait may still
  /// refer to it.
  func remove(_ descriptor: Int32)

  /// Waits for events, for up to `milliseconds` (-1: without end), or until a signal interrupts.
  ///
  /// - Returns: the number of events, up to `maxEvents`. The next wait returns the others, starting
  ///   with those that have waited longest.
  /// - Throws: if the wait fails for a reason other than a signal.
  func wait(milliseconds: Int32) throws(SystemError) -> Int

  /// The maximum number of events of one wait.
  var maxEvents: Int { get }

  /// Returns an event of the last wait.
  func event(at index: Int) -> PollerEvent
}

/// An event of a watched descriptor.
package struct PollerEvent: Sendable {
  /// The token that was given to `add` or `modify`.
  package let token: UInt64
  package let readiness: Readiness
}

/// The events that a descriptor is watched for.
package struct Interest: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Input has arrived, or a connection waits to be accepted.
  package static let readable = Interest(rawValue: 1)
  /// The system takes output, or a socket is connected.
  package static let writable = Interest(rawValue: 2)
}

/// The events of a watched descriptor.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let readable = Readiness(rawValue: 1)
  package static let writable = Readiness(rawValue: 2)
  /// The peer hung up, or the descriptor failed. Reported for any interest, even the empty one, as
  /// long as it lasts. A handler that cannot react cancels its watch; otherwise the loop spins.
  package static let hangUp = Readiness(rawValue: 4)
}

/// A descriptor that an `EventLoop` watches. The system reuses the number of a closed descriptor;
/// the generation distinguishes the events of the old descriptor from those of the new one.
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
