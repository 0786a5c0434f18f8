extension String {
  /// With each character replaced that is neither a line break nor displayable: what comes from
  /// elsewhere must not be able to steer the terminal, turn the writing round or hide in it.
  package var printable: String {
    String(map { $0 == "\n" ? $0 : $0.displayable })
  }
}
