import Shared

/// A finished match as its stream in the engine has it, with what the archive keeps of it.
struct FinishedMatch {
  let lines: MatchLines
  /// The results of its games, in order. They have the time at which the match ended, because the
  /// stream has no times.
  let results: [NumberedResult]
  /// In milliseconds since 1970.
  let ended: Int

  /// Reads the whole stream of a match. Returns `nil` if the match is not finished, or no game has
  /// begun.
  ///
  /// - Throws: if an entry is missing, or a record breaks the rules.
  init?(
    _ match: String, _ stream: [RedisReply], ended: Int, games: GameRegistry
  ) throws(ReplayError) {
    guard let entries = StreamEntry.stream(in: stream) else {
      throw ReplayError("an entry of its stream is missing")
    }
    let records = entries.flatMap(\.records)
    guard entries.last?.isFinished == true, let lines = MatchLines(records) else { return nil }
    var replay = MatchReplay(games)
    do throws(JournalDamage) {
      try replay.apply(records: records.span)
    } catch {
      throw ReplayError(error.reason)
    }
    guard replay.liveMatches.isEmpty else { throw ReplayError("its last event is missing") }
    let followed = FollowedMatch(match)
    followed.read(records, at: ended)
    self.lines = lines
    results = followed.results
    self.ended = ended
  }
}
