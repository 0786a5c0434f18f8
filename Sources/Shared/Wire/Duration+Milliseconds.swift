extension Duration {
  /// As times stand on the wire: what is less than a millisecond does not count.
  var milliseconds: Int {
    Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
