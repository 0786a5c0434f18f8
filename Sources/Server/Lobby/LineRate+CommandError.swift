import Shared

extension LineRate {
  /// Takes a token for a command, which is refused with a sentence where there is none; nobody's
  /// connection is closed for that.
  mutating func take(at now: Duration, orSay sentence: String) throws(CommandError) {
    let retry: Duration
    switch take(at: now) {
    case .granted: return
    case .tooFast(let time): retry = time
    // The bucket is empty, so the next token comes within this time.
    case .flood: retry = .seconds(1) / perSecond
    }
    throw CommandError(.tooFast, sentence, retry: retry.milliseconds)
  }
}
