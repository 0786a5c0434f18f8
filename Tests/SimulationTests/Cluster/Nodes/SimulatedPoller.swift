import Shared

/// The poller of a node in simulated time: it never waits, but remembers for how long it should
/// have.
final class SimulatedPoller: Poller {
  /// How long the last wait should have been, if nothing was there; `nil` if something was.
  private(set) var idleTime: Int32?
  private let poller = PollPoller()

  var maxEvents: Int { poller.maxEvents }

  func add(
    _ descriptor: Int32, for interest: Interest, token: UInt64
  ) throws(SystemError) {
    try poller.add(descriptor, for: interest, token: token)
  }

  func modify(
    _ descriptor: Int32, to interest: Interest, token: UInt64
  ) throws(SystemError) {
    try poller.modify(descriptor, to: interest, token: token)
  }

  func remove(_ descriptor: Int32) { poller.remove(descriptor) }

  func wait(milliseconds: Int32) throws(SystemError) -> Int {
    let count = try poller.wait(milliseconds: 0)
    idleTime = count == 0 ? milliseconds : nil
    return count
  }

  func event(at index: Int) -> PollerEvent { poller.event(at: index) }
}
