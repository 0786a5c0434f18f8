import Shared

/// Which events and outcomes players received, so that a test can tell that worlds are eventful.
struct Coverage {
  private(set) var errors: Set<ErrorCode> = []
  private(set) var byes: Set<ByeCode> = []
  private(set) var gameEnds: Set<Outcome.Reason> = []
  private(set) var matchEnds: Set<MatchEndReason> = []
  /// How often a player resumed with a token again because the answer to its first use was lost.
  private(set) var secondUses = 0
  /// How often a `SimulatedClient` resumed a match.
  private(set) var returns = 0

  /// How many games ended while the server drained, and how many were cut off at its deadline.
  private(set) var drained = (ended: 0, cut: 0)
  /// How often a player tried a token that is no longer valid.
  private(set) var tokenReplays = 0

  /// What 100 worlds cover at least.
  static let expected = Coverage(
    errors: [
      .badJSON, .unknownType, .tooFast, .full, .alreadyLoggedIn, .badName, .nameTaken,
      .unknownToken,
      .alreadyWaiting, .notWaiting, .inMatch, .notInMatch, .spectator, .unknownGame,
      .unknownPlayer, .unknownMatch, .noGame, .shuttingDown, .stale, .notYourTurn, .outOfBoard,
      .cellTaken,
    ],
    byes: [
      .quit, .idle, .lineTooLong, .flood, .takenOver, .shutdown,
    ],
    gameEnds: Set(Outcome.Reason.allCases), matchEnds: Set(MatchEndReason.allCases))

  mutating func note(_ event: Event) {
    switch event {
    case .error(let code, _, _, _): errors.insert(code)
    case .bye(let code, _, _): byes.insert(code)
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
  mutating func noteReturn() { returns += 1 }
  mutating func noteTokenReplay() { tokenReplays += 1 }

  mutating func noteDrain(ended: Int, cut: Int) {
    drained.ended += ended
    drained.cut += cut
  }

  mutating func formUnion(_ other: Coverage) {
    errors.formUnion(other.errors)
    byes.formUnion(other.byes)
    gameEnds.formUnion(other.gameEnds)
    matchEnds.formUnion(other.matchEnds)
    secondUses += other.secondUses
    returns += other.returns
    tokenReplays += other.tokenReplays
    noteDrain(ended: other.drained.ended, cut: other.drained.cut)
  }
}
