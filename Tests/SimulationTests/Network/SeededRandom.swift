import TestSupport

/// All random choices of a world, from one seed.
final class SeededRandom {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  func seed() -> UInt64 { generator.next() }

  /// Returns `true` in `percent` of all cases.
  func happens(percent: Int) -> Bool { int(1...100) <= percent }

  /// A duration in whole microseconds, so that few events fall on the same time.
  func duration(_ range: ClosedRange<Duration>) -> Duration {
    let microseconds = Duration.microseconds(1)
    let (least, most) = (range.lowerBound / microseconds, range.upperBound / microseconds)
    return .microseconds(int(Int(least)...Int(most)))
  }

  func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &generator)
  }

  /// Picks one element; its chance is proportional to its weight.
  func pick<Element>(weighted elements: [(Int, Element)]) -> Element? {
    var number = int(0...max(0, elements.reduce(0) { $0 + $1.0 } - 1))
    for (weight, element) in elements {
      if number < weight { return element }
      number -= weight
    }
    return nil
  }
}
