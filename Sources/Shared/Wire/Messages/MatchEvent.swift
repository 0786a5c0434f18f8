/// Something that happened in a match, told alike to all who are in it.
package struct MatchEvent: Equatable, Sendable {
  package enum Body: Equatable, Sendable {
    case gameDidStart(GameState)
    /// `left` is the time for the next move; `nil` where it is not limited.
    case boardDidChange(Change, left: Duration? = nil)
    case gameDidEnd(Outcome, Score)
    /// `grace`: the time that a lost connection has to come back.
    case presenceDidChange(Mark, online: Bool, grace: Duration? = nil)
    /// `by` is `nil` for a shutdown.
    case matchDidEnd(MatchEndReason, by: Mark?, Score)
    case didSay(from: String, text: String)
  }

  /// The id of the match.
  package let match: String
  /// Counts from 1 and goes up by exactly 1 in every event of the match.
  package let seq: Int
  package let body: Body

  package init(match: String, seq: Int, _ body: Body) {
    self.match = match
    self.seq = seq
    self.body = body
  }
}
