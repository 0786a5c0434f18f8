/// One of the two marks. X moves first. The raw value is the letter in ASCII, as it stands on the
/// wire and on paper.
public enum Mark: UInt8, CaseIterable, Hashable, Sendable {
  case x = 0x58
  case o = 0x4F

  /// The opponent's mark.
  @inlinable public var other: Mark { self == .x ? .o : .x }

  /// `X` or `O`.
  package var letter: String { self == .x ? "X" : "O" }
}
