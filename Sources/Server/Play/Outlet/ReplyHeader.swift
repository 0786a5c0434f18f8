import Shared

/// What the reply to a command carries besides its own fields.
struct ReplyHeader {
  /// The `id` of the command, which the reply has as `re`.
  let id: RequestID?
  /// A sentence about fields of the command that are probably misspelled. In an object, because few
  /// replies have one, and a header is copied with each move.
  let hint: Hint?

  final class Hint {
    let text: String

    init(_ text: String) {
      self.text = text
    }
  }

  init(id: RequestID) {
    self.id = id
    hint = nil
  }

  /// `nil` if the reply carries nothing.
  init?(id: RequestID?, hint: String?) {
    guard id != nil || hint != nil else { return nil }
    self.id = id
    self.hint = hint.map(Hint.init)
  }
}
