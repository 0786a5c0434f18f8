/// One value for each mark: players, seats, scores.
package struct PerMark<Value> {
  package var x: Value
  package var o: Value

  package init(x: Value, o: Value) {
    self.x = x
    self.o = o
  }

  package subscript(mark: Mark) -> Value {
    get { mark == .x ? x : o }
    set { if mark == .x { x = newValue } else { o = newValue } }
  }

  package func map<Result>(_ transform: (Value) -> Result) -> PerMark<Result> {
    PerMark<Result>(x: transform(x), o: transform(o))
  }

  /// The same values with the marks changed over.
  package var swapped: PerMark { PerMark(x: o, o: x) }
}

extension PerMark: Equatable where Value: Equatable {}
extension PerMark: Sendable where Value: Sendable {}
