/// What one link is like.
struct Weather {
  /// How long a piece is under way.
  let latency: ClosedRange<Duration>
  /// Between two pieces that were sent at once.
  let gap: Duration
  /// The largest piece that is delivered at once, in bytes.
  let largestPiece: Int
  /// How many of a hundred are held up, and for how long.
  let stalls: Int
  let stall: ClosedRange<Duration>
  /// What the systems hold of each direction, in bytes.
  let window: Int

  init(_ chance: Chance) {
    latency =
      switch chance.int(1...4) {
      case 1: .microseconds(50)...Duration.microseconds(500)
      case 2: .milliseconds(5)...Duration.milliseconds(60)
      default: .milliseconds(1)...Duration.milliseconds(800)
      }
    gap = chance.duration(.microseconds(10)...Duration.milliseconds(3))
    largestPiece = chance.pick([7, 64, 1_000, 65_536, 65_536]) ?? 1
    stalls = chance.pick([0, 0, 1, 3]) ?? 0
    stall = .milliseconds(100)...Duration.seconds(4)
    window = chance.pick([2_000, 16_384, 65_536]) ?? 1
  }
}
