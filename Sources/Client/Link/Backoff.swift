import Shared

/// How long to wait before each further attempt to connect: twice as long each time, and never quite
/// the same for two clients, so that they do not all come back in one moment.
struct Backoff {
  static let shortest: Duration = .milliseconds(100)
  static let longest: Duration = .seconds(5)

  private var ceiling = shortest

  /// Between half of the present ceiling and all of it.
  mutating func next(using random: RandomSource) -> Duration {
    var random = random
    defer { ceiling = min(ceiling * 2, Self.longest) }
    return ceiling / 2 + ceiling / 2 * Double.random(in: 0...1, using: &random)
  }
}
