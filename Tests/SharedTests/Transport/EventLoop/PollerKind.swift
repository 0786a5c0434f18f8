import Shared

/// The pollers of this system; each test of the loop runs with every one.
enum PollerKind: CaseIterable {
  #if os(Linux)
    case epoll
  #endif
  case poll

  func makePoller() throws -> any Poller {
    switch self {
    #if os(Linux)
      case .epoll: try EpollPoller()
    #endif
    case .poll: PollPoller()
    }
  }

  func makeLoop() throws -> EventLoop { EventLoop(poller: try makePoller()) }
}

struct ConditionNeverHeld: Error {}

extension EventLoop {
  /// Turns until `condition` holds, with a bound so that a failing test ends.
  func turn(until condition: () throws -> Bool) throws {
    for _ in 0..<5000 {
      if try condition() { return }
      try turn(wait: .milliseconds(2))
    }
    throw ConditionNeverHeld()
  }

  /// Turns a few times, for what must not happen.
  func turnAFewTimes() throws {
    for _ in 0..<5 { try turn(wait: .milliseconds(2)) }
  }
}
