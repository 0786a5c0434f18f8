import Shared

/// The ids of stored matches, each used once.
enum MatchID {
  /// Returns the id of a match by its number, from 1: four letters for the first 31⁴ matches, five
  /// for the next 31⁵, and so on. Two numbers never have the same id, and ids do not count up.
  static func text(_ number: Int) -> String {
    let alphabet = RandomSource.alphabet
    var (rest, length, count) = (number - 1, 4, alphabet.count * alphabet.count)
    count *= count
    while rest >= count {
      rest -= count
      count *= alphabet.count
      length += 1
    }
    // A factor that has no divisor in common with `count` only reorders the numbers.
    var scattered = (rest * 611_953 + 408_211) % count
    var letters: [Character] = []
    for _ in 0..<length {
      letters.append(alphabet[scattered % alphabet.count])
      scattered /= alphabet.count
    }
    return String(letters)
  }
}
