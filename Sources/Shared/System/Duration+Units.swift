extension Duration {
  /// Whole milliseconds, as on the wire. Rounded up, so that a peer that waits this long is not too
  /// early.
  package var milliseconds: Int {
    let (seconds, attoseconds) = components
    let millisecond: Int64 = 1_000_000_000_000_000
    return Int(seconds) * 1_000 + Int((attoseconds + millisecond - 1) / millisecond)
  }
}

/// Times as the loop counts them: 64 bits, where a `Duration` takes 128.
extension Duration {
  // In what a `Duration` itself counts in: to have it multiply costs ten times as much.
  init(wholeNanoseconds: Int64) {
    self.init(attoseconds: Int128(wholeNanoseconds) &* 1_000_000_000)
  }

  /// Rounded up, as a deadline is; what is beyond 292 years is cut off.
  var wholeNanoseconds: Int64 { Int64(clamping: (attoseconds + 999_999_999) / 1_000_000_000) }

  /// Those that are over, of a time that is not negative; cut off likewise.
  var pastNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }
}
