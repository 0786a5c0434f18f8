#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where chance comes from: the system's generator in the programs, a seeded one in tests. A class,
/// so that all who share one draw from the same sequence.
package final class RandomSource: RandomNumberGenerator {
  private var generator: any RandomNumberGenerator

  package init(_ generator: any RandomNumberGenerator = SystemRandomNumberGenerator()) {
    self.generator = generator
  }

  package func next() -> UInt64 { generator.next() }
}

/// The system's random numbers, fit for secrets. Many are fetched at once, for each time is a system
/// call, and who logs in needs several. A class, for a copy would draw the same numbers again.
package final class SecureRandomNumberGenerator: RandomNumberGenerator {
  /// getentropy(3) gives at most 256 bytes.
  private static let batchSize = 32

  private var numbers: [UInt64] = []

  package init() {}

  package func next() -> UInt64 {
    if let number = numbers.popLast() { return number }
    numbers = Array(repeating: 0, count: Self.batchSize)
    let result = numbers.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
    precondition(result == 0, "The system has random numbers.")
    return numbers.removeLast()
  }
}
