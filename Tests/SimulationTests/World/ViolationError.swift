/// A rule of the protocol that was broken.
struct ViolationError: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// Throws a `ViolationError` with this text unless the condition holds.
func require(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(ViolationError) {
  guard condition else { throw ViolationError(otherwise()) }
}
