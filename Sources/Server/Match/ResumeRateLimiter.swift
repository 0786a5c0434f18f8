import Shared

/// How often the players of a match may resume: 5 times a second, after 100 at once, which is more
/// than any connection on a bad day. Each time the opponent gets two events: without a limit a player
/// who comes and goes without end would drown an opponent who reads slowly.
final class ResumeRateLimiter {
  private static let full = TokenBucket(perSecond: 5, burst: 100)

  private var buckets = PerMark(x: full, o: full)

  /// Throws `tooFast` where the player of that mark has resumed too often.
  func check(_ mark: Mark, at now: Duration) throws(CommandError) {
    try buckets[mark].take(
      at: now, orSay: "Your connection was lost too often. Try again in a moment.")
  }
}
