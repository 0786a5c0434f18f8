import Testing

@testable import Server

@Suite struct EarlyLeavesTests {
  @Test func `the first early leave is free, and each further early leave adds a second`() {
    var leaves = EarlyLeaves()
    #expect(leaves.hold(at: .zero) == .zero)
    for number in 0..<100 {
      leaves.add(at: .seconds(5))
      #expect(leaves.hold(at: .seconds(5)) == .seconds(min(number, 60)))
    }
  }

  @Test func `each full minute without an early leave removes one`() {
    var leaves = EarlyLeaves()
    for _ in 0..<5 { leaves.add(at: .zero) }
    #expect(leaves.hold(at: .seconds(59)) == .seconds(4))
    #expect(leaves.hold(at: .seconds(60)) == .seconds(3))
    #expect(leaves.hold(at: .seconds(239)) == .seconds(1))
    #expect(leaves.hold(at: .seconds(240)) == .zero)
    leaves.add(at: .seconds(130))
    #expect(leaves.hold(at: .seconds(130)) == .seconds(3))
    #expect(leaves.hold(at: .seconds(100_000)) == .zero)
    leaves.add(at: .seconds(100_000))
    #expect(leaves.hold(at: .seconds(100_000)) == .zero)
  }
}
