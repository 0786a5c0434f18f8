extension Duration {
  /// Whole milliseconds, as on the wire. Rounded up, so that a peer that waits this long is not too
  /// early.
  package var milliseconds: Int {
    let (seconds, attoseconds) = components
    let millisecond: Int64 = 1_000_000_000_000_000
    return Int(seconds) * 1_000 + Int((attoseconds + millisecond - 1) / millisecond)
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
