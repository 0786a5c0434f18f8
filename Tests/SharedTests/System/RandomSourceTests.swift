import Shared
import TestSupport
import Testing

@Suite struct RandomSourceTests {
  @Test func `all users of a source share one sequence`() {
    var plain = SeededGenerator(seed: 7)
    let expected = (0..<6).map { _ in plain.next() }
    let one = RandomSource(SeededGenerator(seed: 7))
    let other = one
    #expect((0..<3).flatMap { _ in [one.next(), other.next()] } == expected)
  }

  @Test func `the standard library can use it`() {
    var source = RandomSource(SeededGenerator(seed: 8))
    var plain = SeededGenerator(seed: 8)
    #expect(Int.random(in: 0..<1000, using: &source) == Int.random(in: 0..<1000, using: &plain))
    #expect(source.next() == plain.next())
  }
}

@Suite struct SecureRandomNumberGeneratorTests {
  @Test func `no number is repeated across batches`() {
    let numbers = SecureRandomNumberGenerator()
    let drawn = (0..<1_000).map { _ in numbers.next() }
    #expect(Set(drawn).count == drawn.count)
  }

  @Test func `two generators return different numbers`() {
    let (one, other) = (SecureRandomNumberGenerator(), SecureRandomNumberGenerator())
    #expect(one.next() != other.next())
  }

  @Test func `every bit varies`() {
    let numbers = SecureRandomNumberGenerator()
    let drawn = (0..<200).map { _ in numbers.next() }
    #expect(drawn.reduce(0, |) == .max && drawn.reduce(.max, &) == 0)
  }
}
