import Shared

/// The refusal of a command: nothing has changed.
struct CommandError: Error, Equatable {
  let code: ErrorCode
  /// The field that it is about, where there is one.
  let field: String?
  /// A sentence for a person that says what to do.
  let message: String
  /// When it is worth another try.
  let retry: Duration?

  /// Without a message it is the code's own.
  init(
    _ code: ErrorCode, field: String? = nil, _ message: String? = nil, retry: Duration? = nil
  ) {
    self.retry = retry
    self.code = code
    self.field = field
    self.message = message ?? code.message
  }

  /// There is no room for one more match or spectator. Matches end all the time.
  static let noRoom = CommandError(.full, retry: noRoomRetry)
  static let noRoomRetry: Duration = .seconds(5)
}

extension TokenBucket {
  /// Takes a token for a command. Throws `tooFast` with a sentence, and the time until there is a
  /// token, where there is none.
  mutating func take(at now: Duration, orSay sentence: String) throws(CommandError) {
    guard let wait = take(at: now) else { return }
    throw CommandError(.tooFast, sentence, retry: wait)
  }
}
