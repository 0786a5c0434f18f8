package import Shared

/// Counts the events that another poller finds.
package final class CountingPoller: Poller {
  package private(set) var eventCount = 0
  private let poller: any Poller

  package init(_ poller: any Poller) { self.poller = poller }

  package var maxEvents: Int { poller.maxEvents }

  package func add(
    _ descriptor: Int32, for interest: Interest, token: UInt64
  ) throws(SystemError) {
    try poller.add(descriptor, for: interest, token: token)
  }

  package func modify(
    _ descriptor: Int32, to interest: Interest, token: UInt64
  ) throws(SystemError) {
    try poller.modify(descriptor, to: interest, token: token)
  }

  package func remove(_ descriptor: Int32) { poller.remove(descriptor) }

  package func wait(milliseconds: Int32) throws(SystemError) -> Int {
    let count = try poller.wait(milliseconds: milliseconds)
    eventCount += count
    return count
  }

  package func event(at index: Int) -> PollerEvent { poller.event(at: index) }

  /// Turns a loop that waits with this poller until a turn finds no event, up to 100 times. Returns
  /// false if each turn found one: then something wakes the loop again and again.
  package func becomesQuiet(_ loop: EventLoop) throws -> Bool {
    for _ in 0..<100 {
      let before = eventCount
      try loop.turn(wait: .zero)
      if eventCount == before { return true }
    }
    return false
  }
}
