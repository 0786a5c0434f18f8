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

  /// The games that ended by a line.
  private(set) var lines: Set<String> = []
  /// How often other things happened, by name.
  private(set) var counts: [String: Int] = [:]

  /// What 100 worlds cover at least.
  static let expected = Coverage(
    errors: [
      .badJSON, .missingField, .unknownType, .badField, .tooFast, .full, .alreadyLoggedIn, .badName,
      .nameTaken,
      .unknownToken,
      .alreadyWaiting, .notWaiting, .notInvited, .inMatch, .notInMatch, .spectator, .unknownGame,
      .unknownPlayer, .unknownCode, .unknownMatch, .noGame, .shuttingDown, .stale, .notYourTurn,
      .outOfBoard,
      .cellTaken, .notOpen,
    ],
    byes: [
      .quit, .idle, .lineTooLong, .flood, .takenOver, .shutdown,
    ],
    gameEnds: Set(Outcome.Reason.allCases), matchEnds: Set(MatchEndReason.allCases))

  /// `game` is that of the player's match.
  mutating func note(_ event: Event, in game: String?) {
    switch event {
    case .error(let code, _, _, _): errors.insert(code)
    case .bye(let code, _, _, _): byes.insert(code)
    case .match(let event):
      switch event.body {
      case .gameDidEnd(let outcome, _):
        gameEnds.insert(outcome.reason)
        if let game, outcome.reason == .line { lines.insert(game) }
      case .matchDidEnd(let reason, _, _): matchEnds.insert(reason)
      case .gameDidStart, .boardDidChange, .presenceDidChange, .didSay: break
      }
    default: break
    }
  }

  /// What must happen several times in 100 worlds, but has not.
  var rare: [String] { Self.expectedCounts.filter { counts[$0, default: 0] < 3 } }

  private static let expectedCounts = [
    "blocked", "cancelled thoughts", "decline of several", "declined", "didCancel declined",
    "didCancel expired",
    "didCancel left", "game of invited", "join tooFast", "joined", "motd", "repeated code",
    "repeated expires", "repeated spectators", "spectators", "stop", "stop at login",
  ]

  /// What happened how often, for a person.
  var summary: String {
    let parts = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return "Lines in \(lines.sorted()). \(parts.joined(separator: ", "))."
  }

  mutating func note(_ counts: [String: Int]) { self.counts.merge(counts, uniquingKeysWith: +) }

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
    lines.formUnion(other.lines)
    note(other.counts)
    secondUses += other.secondUses
    returns += other.returns
    tokenReplays += other.tokenReplays
    noteDrain(ended: other.drained.ended, cut: other.drained.cut)
  }
}
