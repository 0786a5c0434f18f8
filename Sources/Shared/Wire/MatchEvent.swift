/// Something that happened in a match, told alike to all who are in it.
package struct MatchEvent: Equatable, Sendable {
  package enum Body: Equatable, Sendable {
    case gameDidStart(GamePicture)
    case boardDidChange(Change)
    case gameDidEnd(Outcome, Score)
    /// `by` is `nil` for a shutdown.
    case matchDidEnd(MatchEndReason, by: Mark?, Score)
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
