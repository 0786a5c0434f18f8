import Shared

/// What the reply to a command carries besides its own fields.
struct ReplyHeader {
  /// The `id` of the command, which the reply has as `re`.
  let id: RequestID?
  /// A sentence about fields of the command that are probably misspelled.
  let hint: String?

  init(id: RequestID) {
    self.id = id
    hint = nil
  }

  /// `nil` if the reply carries nothing.
  init?(id: RequestID?, hint: String?) {
    guard id != nil || hint != nil else { return nil }
    self.id = id
    self.hint = hint
  }
}
