#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Testing

@testable import Shared

@Suite struct SignalSourceTests {
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
  func `two signals are told apart, and need not be held`(kind: PollerKind) throws {
    let loop = try kind.makeLoop()
    var windows = 0
    var urgent = 0
    _ = try SignalSource(loop: loop, signal: SIGWINCH) { windows += 1 }
    _ = try SignalSource(loop: loop, signal: SIGURG) { urgent += 1 }
    try loop.turn {
      kill(getpid(), SIGURG)
      return urgent > 0
    }
    try loop.turn {
      kill(getpid(), SIGWINCH)
      return windows > 0
    }
  }
}
