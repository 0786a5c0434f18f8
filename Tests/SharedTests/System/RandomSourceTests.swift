import Shared
import TestSupport
import Testing

@Suite struct RandomSourceTests {
  @Test func `all who share a source draw from one sequence`() {
    var plain = SeededGenerator(seed: 7)
    let expected = (0..<6).map { _ in plain.next() }
    let one = RandomSource(SeededGenerator(seed: 7))
    let other = one
    #expect((0..<3).flatMap { _ in [one.next(), other.next()] } == expected)
  }

  @Test func `the standard library draws from it too`() {
    var source = RandomSource(SeededGenerator(seed: 8))
    var plain = SeededGenerator(seed: 8)
    #expect(Int.random(in: 0..<1000, using: &source) == Int.random(in: 0..<1000, using: &plain))
    #expect(source.next() == plain.next())
  }
}
