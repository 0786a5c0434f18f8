/// Where chance comes from: the system's generator in the programs, a seeded one in tests. A class,
/// so that all who share one draw from the same sequence.
package final class RandomSource: RandomNumberGenerator {
  private var generator: any RandomNumberGenerator

  package init(_ generator: any RandomNumberGenerator = SystemRandomNumberGenerator()) {
    self.generator = generator
  }

  package func next() -> UInt64 { generator.next() }
}
