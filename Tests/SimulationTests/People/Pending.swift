import Shared

/// A command that has not been answered yet.
struct Pending {
  /// `nil` for one in words.
  let id: RequestID?
  let command: Command
  /// When it was sent.
  let time: Duration
}
