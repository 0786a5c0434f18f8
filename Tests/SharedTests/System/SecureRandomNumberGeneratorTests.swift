import Shared
import Testing

@Suite struct SecureRandomNumberGeneratorTests {
  @Test func `no number comes twice, however many are fetched at once`() {
    let numbers = SecureRandomNumberGenerator()
    let drawn = (0..<1_000).map { _ in numbers.next() }
    #expect(Set(drawn).count == drawn.count)
  }

  @Test func `two draw from different numbers`() {
    let (one, other) = (SecureRandomNumberGenerator(), SecureRandomNumberGenerator())
    #expect(one.next() != other.next())
  }

  @Test func `every bit is sometimes set and sometimes not`() {
    let numbers = SecureRandomNumberGenerator()
    let drawn = (0..<200).map { _ in numbers.next() }
    #expect(drawn.reduce(0, |) == .max && drawn.reduce(.max, &) == 0)
  }
}
