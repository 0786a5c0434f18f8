import Shared

/// The refusal of a command: nothing has changed.
struct CommandError: Error, Equatable {
  let code: ErrorCode
  /// The field that it is about, where there is one.
  let field: String?

  init(_ code: ErrorCode, field: String? = nil) {
    self.code = code
    self.field = field
  }
}
