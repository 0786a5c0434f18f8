import Shared

/// What the reply to a command carries besides its own fields. It may be nothing.
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

  init(id: RequestID? = nil, hint: String? = nil) {
    self.id = id
    self.hint = hint.map(Hint.init)
  }

  var isEmpty: Bool { id == nil && hint == nil }
}
