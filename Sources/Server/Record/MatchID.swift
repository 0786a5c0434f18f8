import Shared

/// The ids of stored matches, each used once.
enum MatchID {
  private static let shortest = 4
  private static let shortestCount = 31 * 31 * 31 * 31
  private static let factor = 611_953
  private static let offset = 408_211

  /// Returns the id of a match by its number, from 1: four letters for the first 31⁴ matches, five
  /// for the next 31⁵, and so on. Two numbers never have the same id, and ids do not count up.
  static func text(_ number: Int) -> String {
    let alphabet = RandomSource.alphabet
    var (rest, length, count) = (number - 1, shortest, shortestCount)
    while rest >= count {
      rest -= count
      count *= alphabet.count
      length += 1
    }
    // A factor that has no divisor in common with `count` only reorders the numbers.
    var scattered = (rest * factor + offset) % count
    var letters: [Character] = []
    for _ in 0..<length {
      letters.append(alphabet[scattered % alphabet.count])
      scattered /= alphabet.count
    }
    return String(letters)
  }

  /// Returns a number in the letters of ids, which count in 31s.
  static func digits(_ number: Int) -> String {
    let alphabet = RandomSource.alphabet
    let (rest, last) = number.quotientAndRemainder(dividingBy: alphabet.count)
    return (rest > 0 ? digits(rest) : "") + String(alphabet[last])
  }

  /// Returns the number of a match with an id; `nil` if no match can have it.
  static func number(of id: String) -> Int? {
    let alphabet = RandomSource.alphabet
    guard (shortest...9).contains(id.count) else { return nil }
    var scattered = 0
    for letter in id.reversed() {
      guard let digit = alphabet.firstIndex(of: letter) else { return nil }
      scattered = scattered * alphabet.count + digit
    }
    var (before, count) = (0, shortestCount)
    for _ in shortest..<id.count {
      before += count
      count *= alphabet.count
    }
    // `count` is a power of 31, so φ(count) is 30/31 of it, and factor^(φ - 1) undoes the factor.
    let inverse = power(factor % count, count / 31 * 30 - 1, modulo: count)
    let rest = product((scattered - offset % count + count) % count, inverse, modulo: count)
    return before + rest + 1
  }

  private static func power(_ base: Int, _ exponent: Int, modulo: Int) -> Int {
    var (result, square, rest) = (1, base, exponent)
    while rest > 0 {
      if rest % 2 == 1 { result = product(result, square, modulo: modulo) }
      square = product(square, square, modulo: modulo)
      rest /= 2
    }
    return result
  }

  private static func product(_ one: Int, _ other: Int, modulo: Int) -> Int {
    let full = one.multipliedFullWidth(by: other)
    return modulo.dividingFullWidth(full).remainder
  }
}
