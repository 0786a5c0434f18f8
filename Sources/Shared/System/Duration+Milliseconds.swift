extension Duration {
  /// As times are on the wire: whole milliseconds, rounded up, so that who waits so long does not
  /// come too early.
  package var milliseconds: Int {
    let (seconds, attoseconds) = components
    let millisecond: Int64 = 1_000_000_000_000_000
    return Int(seconds) * 1_000 + Int((attoseconds + millisecond - 1) / millisecond)
  }
}
