import Shared

/// The pollers of this system. Each test of the loop runs with all of them.
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

struct ConditionError: Error {}

extension EventLoop {
  /// Turns until `condition` is true, with a limit so that a failing test ends.
  func turn(until condition: () throws -> Bool) throws {
    for _ in 0..<5000 {
      if try condition() { return }
      try turn(wait: .milliseconds(2))
    }
    throw ConditionError()
  }

  /// Turns a few times, to check that something does not happen.
  func turnAFewTimes() throws {
    for _ in 0..<5 { try turn(wait: .milliseconds(2)) }
  }
}
