/// A rule of the protocol that was broken.
struct Violation: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// Throws a `Violation` with this text unless the condition holds.
func require(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(Violation) {
  guard condition else { throw Violation(otherwise()) }
}
