#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A source of random numbers: the system's in the programs, a seeded one in tests. It is a class,
/// so that all its users share one sequence.
package final class RandomSource: RandomNumberGenerator {
  private var generator: any RandomNumberGenerator

  package init(_ generator: any RandomNumberGenerator = SystemRandomNumberGenerator()) {
    self.generator = generator
  }

  package func next() -> UInt64 { generator.next() }

  /// Returns random letters and digits, none of which looks like another.
  package func letters(_ count: Int) -> String {
    var random = self
    var letters = ""
    for _ in 0..<count {
      if let letter = Self.alphabet.randomElement(using: &random) { letters.append(letter) }
    }
    return letters
  }

  /// Letters and digits, none of which looks like another.
  package static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")
}

/// The system's random numbers, good enough for secrets. They are fetched in batches, because each
/// fetch is a system call and each login needs several. A class, because a copy would return the
/// same numbers again.
package final class SecureRandomNumberGenerator: RandomNumberGenerator {
  /// 256 bytes, the maximum of one getentropy(3) call.
  private static let batchSize = 32

  private var numbers: [UInt64] = []

  package init() {}

  package func next() -> UInt64 {
    if let number = numbers.popLast() { return number }
    numbers = Array(repeating: 0, count: Self.batchSize)
    let result = numbers.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
    precondition(result == 0, "getentropy(3) failed.")
    return numbers.removeLast()
  }
}
