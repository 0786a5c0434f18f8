import Shared
import TestSupport
import Testing

@testable import Client

@Suite struct BackoffTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `each pause is 50 to 100 % of a maximum that doubles up to five seconds`(
    _ seed: UInt64
  ) {
    var backoff = Backoff()
    let random = RandomSource(SeededGenerator(seed: seed))
    for ceiling in [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000] {
      let pause = backoff.next(using: random)
      #expect(pause >= .milliseconds(ceiling) / 2)
      #expect(pause <= .milliseconds(ceiling))
    }
  }

  @Test func `two clients do not retry at the same moment`() {
    let firsts = (1...20 as ClosedRange<UInt64>).map { seed in
      var backoff = Backoff()
      return backoff.next(using: RandomSource(SeededGenerator(seed: seed)))
    }
    #expect(Set(firsts).count == firsts.count)
  }
}
