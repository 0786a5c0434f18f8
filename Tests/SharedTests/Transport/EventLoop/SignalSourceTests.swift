#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Testing

@testable import Shared

// Every source in the process gets each signal, so these tests run one after the other.
@Suite(.serialized) struct SignalSourceTests {
  // SIGWINCH and SIGURG do nothing by default, so they can be raised before Dispatch is ready.
  @Test(arguments: PollerKind.allCases)
  func `a signal reaches the loop`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    var signals = 0
    let source = try SignalSource(loop: loop, signal: SIGWINCH) { signals += 1 }
    try loop.turn {
      kill(getpid(), SIGWINCH)
      return signals > 0
    }
    source.cancel()
    source.cancel()
    let before = signals
    kill(getpid(), SIGWINCH)
    try loop.turnAFewTimes()
    #expect(signals == before)
  }

  @Test(arguments: PollerKind.allCases)
  func `two signals are distinguished, and their sources need not be held`(kind: PollerKind) throws
  {
    let loop = try kind.makeLoop()
    let signals = [SIGWINCH, SIGURG]
    var counts = [0, 0]
    for index in 0...1 {
      _ = try SignalSource(loop: loop, signal: signals[index]) { counts[index] += 1 }
    }
    func raiseAFewTimes(_ index: Int) throws {
      let goal = counts[index] + 5
      try loop.turn {
        kill(getpid(), signals[index])
        return counts[index] >= goal
      }
    }
    for (raised, other) in [(0, 1), (1, 0)] {
      // A signal that was raised earlier may still be on its way.
      try raiseAFewTimes(raised)
      let before = counts[other]
      try raiseAFewTimes(raised)
      #expect(counts[other] == before)
    }
  }
}
