/// Something that must not be.
struct Violation: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// Demands something.
func demand(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(Violation) {
  guard condition else { throw Violation(otherwise()) }
}
