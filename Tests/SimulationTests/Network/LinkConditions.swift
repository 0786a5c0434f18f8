/// The speed and the buffers of one link.
struct LinkConditions {
  /// How long a piece is in flight.
  let latency: ClosedRange<Duration>
  /// The time between two pieces that were sent together.
  let gap: Duration
  /// The largest piece of one delivery, in bytes.
  let largestPiece: Int
  /// The percentage of pieces that stall, and for how long.
  let stalls: Int
  let stall: ClosedRange<Duration>
  /// The size of the system's buffers for each direction, in bytes.
  let window: Int

  init(_ random: SeededRandom) {
    latency =
      switch random.int(1...4) {
      case 1: .microseconds(50)...Duration.microseconds(500)
      case 2: .milliseconds(5)...Duration.milliseconds(60)
      default: .milliseconds(1)...Duration.milliseconds(800)
      }
    gap = random.duration(.microseconds(10)...Duration.milliseconds(3))
    largestPiece = random.pick([7, 64, 1_000, 65_536, 65_536]) ?? 1
    stalls = random.pick([0, 0, 1, 3]) ?? 0
    stall = .milliseconds(100)...Duration.seconds(4)
    window = random.pick([2_000, 16_384, 65_536]) ?? 1
  }
}
