import Shared

/// Gets the result of a command, once, at once or later.
typealias CommandAnswer<Value> = (Result<Value, CommandError>) -> Void

/// The reason why a command was refused. It has changed nothing.
struct CommandError: Error, Equatable {
  let code: ErrorCode
  /// The field that caused it; `nil` if none did.
  let field: String?
  /// A sentence for people that says what to do.
  let message: String
  /// When the client should try again.
  let retry: Duration?

  /// Without a `message` it has that of the code.
  init(
    _ code: ErrorCode, field: String? = nil, _ message: String? = nil, retry: Duration? = nil
  ) {
    self.retry = retry
    self.code = code
    self.field = field
    self.message = message ?? code.message
  }

  /// There is no room for one more match or spectator.
  static let nameTaken = CommandError(.nameTaken, field: "name")
  static let noRoom = CommandError(.full, retry: noRoomRetry)
  static let noRoomRetry: Duration = .seconds(5)
  /// There is no room in the store for anything but the games that run.
  static let storeFull = CommandError(
    .full, "The server has no room to keep more. Running games go on. Try again later.",
    retry: noRoomRetry)
}

extension TokenBucket {
  /// Takes a token for a command.
  ///
  /// - Throws: `tooFast` with a sentence and the time until there is a token, if there is none.
  mutating func take(at now: Duration, orThrow sentence: String) throws(CommandError) {
    guard let wait = take(at: now) else { return }
    throw CommandError(.tooFast, sentence, retry: wait)
  }
}
