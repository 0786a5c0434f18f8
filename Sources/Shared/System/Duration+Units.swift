extension Duration {
  /// Whole milliseconds, as on the wire. Rounded up, so that a peer that waits this long is not too
  /// early.
  package var milliseconds: Int {
    // 10^15 attoseconds, which are 2^15 × 5^15: a shift leaves a division of 64 bits for times of
    // up to a week, where one of 128 bits costs a hundred times as much.
    let sum = attoseconds &+ 999_999_999_999_999
    guard let rest = UInt64(exactly: sum >> 15) else {
      return Int(clamping: (attoseconds > 0 ? sum : attoseconds) / 1_000_000_000_000_000)
    }
    return Int(rest / 30_517_578_125)
  }
}

/// Nanoseconds, as the loop counts them: 64 bits, while a `Duration` has 128.
extension Duration {
  // In attoseconds, the unit of `Duration` itself. Its own multiplication costs ten times as much.
  init(wholeNanoseconds: Int64) {
    self.init(attoseconds: Int128(wholeNanoseconds) &* 1_000_000_000)
  }

  /// The nanoseconds rounded up, for a deadline; clamped to 292 years.
  var wholeNanoseconds: Int64 { Int64(clamping: (attoseconds + 999_999_999) / 1_000_000_000) }

  /// The nanoseconds of a non-negative time, rounded down and clamped to 292 years.
  var pastNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
