import Shared

/// What kinds of things have come to people.
struct Sightings {
  private(set) var errors: Set<ErrorCode> = []
  private(set) var goodbyes: Set<ByeCode> = []
  private(set) var gameEnds: Set<Outcome.Reason> = []
  private(set) var matchEnds: Set<MatchEndReason> = []
  /// How often somebody came back with a token whose answer had been lost.
  private(set) var secondUses = 0
  /// How often somebody at the real client came back to a match.
  private(set) var comebacks = 0

  /// How many games ended while the server let its last games end, and how many did not in time.
  private(set) var drained = (ended: 0, cut: 0)
  /// How often a token was tried that has been used before.
  private(set) var replays = 0

  /// What a hundred worlds come to, if they are as eventful as they should be.
  static let expected = Sightings(
    errors: [
      .badJSON, .unknownType, .tooFast, .full, .alreadyLoggedIn, .badName, .nameTaken,
      .unknownToken,
      .alreadyWaiting, .notWaiting, .inMatch, .notInMatch, .spectator, .unknownGame,
      .unknownPlayer, .unknownMatch, .noGame, .shuttingDown, .stale, .notYourTurn, .outOfBoard,
      .cellTaken,
    ],
    goodbyes: [
      .quit, .idle, .lineTooLong, .flood, .takenOver, .shutdown,
    ],
    gameEnds: Set(Outcome.Reason.allCases), matchEnds: Set(MatchEndReason.allCases))

  mutating func note(_ event: Event) {
    switch event {
    case .error(let code, _, _, _): errors.insert(code)
    case .bye(let code, _, _): goodbyes.insert(code)
    case .match(let event):
      switch event.body {
      case .gameDidEnd(let outcome, _): gameEnds.insert(outcome.reason)
      case .matchDidEnd(let reason, _, _): matchEnds.insert(reason)
      case .gameDidStart, .boardDidChange, .presenceDidChange, .didSay: break
      }
    default: break
    }
  }

  mutating func noteSecondUse() { secondUses += 1 }
  mutating func noteComeback() { comebacks += 1 }
  mutating func noteReplay() { replays += 1 }

  mutating func noteDrain(ended: Int, cut: Int) {
    drained.ended += ended
    drained.cut += cut
  }

  mutating func formUnion(_ other: Sightings) {
    errors.formUnion(other.errors)
    goodbyes.formUnion(other.goodbyes)
    gameEnds.formUnion(other.gameEnds)
    matchEnds.formUnion(other.matchEnds)
    secondUses += other.secondUses
    comebacks += other.comebacks
    replays += other.replays
    noteDrain(ended: other.drained.ended, cut: other.drained.cut)
  }
}
