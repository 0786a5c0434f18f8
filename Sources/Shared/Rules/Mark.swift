/// One of the two marks. X moves first. The raw value is the ASCII letter, as on the wire.
public enum Mark: UInt8, CaseIterable, Hashable, Sendable {
  case x = 0x58
  case o = 0x4F

  /// The opponent's mark.
  @inlinable public var other: Mark { self == .x ? .o : .x }

  package var letter: String { self == .x ? "X" : "O" }
}

/// One value for each mark, such as the players. Public, so that each module can specialize it for
/// its own values.
public struct PerMark<Value> {
  public var x: Value
  public var o: Value

  @inlinable public init(x: Value, o: Value) {
    self.x = x
    self.o = o
  }

  @inlinable public subscript(mark: Mark) -> Value {
    get { mark == .x ? x : o }
    set { if mark == .x { x = newValue } else { o = newValue } }
  }

  @inlinable public func map<Result>(_ transform: (Value) -> Result) -> PerMark<Result> {
    PerMark<Result>(x: transform(x), o: transform(o))
  }

  /// The same values with the marks swapped.
  @inlinable public var swapped: PerMark { PerMark(x: o, o: x) }
}

extension PerMark: Equatable where Value: Equatable {}
extension PerMark: Sendable where Value: Sendable {}
