import Shared

extension TokenBucket {
  /// Takes a token for a command. Throws `tooFast` with a sentence, and the time until there is a
  /// token, where there is none.
  mutating func take(at now: Duration, orSay sentence: String) throws(CommandError) {
    guard let wait = take(at: now) else { return }
    throw CommandError(.tooFast, sentence, retry: wait)
  }
}
