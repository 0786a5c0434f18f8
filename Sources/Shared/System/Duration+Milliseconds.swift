extension Duration {
  /// Whole milliseconds, as on the wire. Rounded up, so that a peer that waits this long is not too
  /// early.
  package var milliseconds: Int {
    let (seconds, attoseconds) = components
    let millisecond: Int64 = 1_000_000_000_000_000
    return Int(seconds) * 1_000 + Int((attoseconds + millisecond - 1) / millisecond)
  }
}
