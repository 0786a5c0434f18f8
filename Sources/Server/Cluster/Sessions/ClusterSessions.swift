import Foundation
import Shared

/// The names and sessions of all nodes.
final class ClusterSessions {
  /// How long a session waits on its way to another node.
  static let travelTime: Duration = .seconds(10)
  /// How often it looks where a match is, while other nodes claim it.
  static let maxAttempts = 3
  /// How often, and after how long, it looks for a player who is on the way to a node.
  static let maxArrivalAttempts = 20
  static let arrivalInterval: Duration = .milliseconds(100)
  /// The maximum number of times that a session goes to another node, in a time.
  static let maxMoves = 5
  static let moveInterval: Duration = .seconds(10)

  /// The sessions of this node.
  var own: () -> [Session] = { [] }
  /// Called with a session that has arrived. It calls the last argument when the session can be
  /// resumed.
  var onArrival: (ArrivingPlayer, @escaping () -> Void) -> Void = { $1() }
  /// Whether a match is here, or its end is on its way to the engine.
  var isKnown: (_ match: String) -> Bool = { _ in true }
  /// Whether a match was given away a moment ago.
  var isGiven: (_ match: String) -> Bool = { _ in false }
  /// The id of a session that does not exist, and what to call when somebody resumes it here.
  var expected: (id: String, didArrive: () -> Void)?
  let ends: SessionEnds
  let visits: NodeVisits
  private let engine: any Redis
  private let outbox: RedisOutbox
  private let claims: MatchClaims
  private let timers: any Timers
  private let random: RandomSource
  private let life: () -> Life?
  /// Until sessions that the engine did not take are written again.
  private var keepTimer: LoopTimer?
  /// The number of sessions that were sent to other nodes.
  private(set) var moveCount = 0

  /// `address` is where clients reach this node.
  init(
    engine: any Redis, outbox: RedisOutbox, claims: MatchClaims, timers: any Timers,
    random: RandomSource, address: String, life: @escaping () -> Life?
  ) {
    self.engine = engine
    self.outbox = outbox
    ends = SessionEnds(outbox: outbox)
    visits = NodeVisits(engine: engine, timers: timers, address: address)
    self.claims = claims
    self.timers = timers
    self.random = random
    self.life = life
  }

  func newID() -> String { random.letters(Session.idLength) }

  /// Takes a name for a new session with an id.
  func takeName(_ name: PlayerName, for id: String, answer: @escaping CommandAnswer<Void>) {
    guard let life = life() else { return answer(.failure(.engineIsAway)) }
    engine.run(
      .takeName, name.key.text, id, life.text, confirmed: .withThisTurn
    ) { [weak self] reply in
      switch reply?.number {
      case 1: answer(.success(()))
      case 0: answer(.failure(.nameTaken))
      default:
        // It may have been taken.
        self?.endSession(id, of: name)
        answer(.failure(.engineIsAway))
      }
    }
  }

  /// Writes the names and the places of this node's sessions again, if the engine has lost them.
  /// That of a session in a match comes with the match. Needed after each new connection.
  func keepAll() {
    keepTimer?.cancel()
    keepTimer = nil
    let sessions = own()
    guard let life = life(), !sessions.isEmpty else { return }
    var commands = RedisCommands()
    for session in sessions {
      commands.add(.keepSession, arguments: [session.name.key.text, session.id, life.text])
    }
    engine.send(commands, confirmed: .never) { [weak self] replies in
      // As by an engine without memory, or without its replicas.
      guard let self, replies?.contains(where: \.isError) == true else { return }
      keepTimer = timers.schedule(after: RedisOutbox.refusalDelay) { [weak self] in
        self?.keepAll()
      }
    }
  }

  /// A session has ended, or has never begun.
  func endSession(_ id: String, of name: PlayerName) { ends.add(id, of: name) }

  /// A match has ended while nobody had it, and so have the sessions that are still in it.
  func endSession(_ id: String, of name: PlayerName, in match: String) {
    outbox.post(.endSessionOfMatch, [name.key.text, id, match])
  }

  /// A session that should be here, as the engine has it, is not.
  func forgetSession(_ id: String) {
    guard let life = life() else { return }
    outbox.post(.forgetSession, [id, life.text])
  }

  /// Looks where the session of a token is. One that is on its way arrives here, also if it was on
  /// its way to another node: its player has not reached that one. What it brings along is known
  /// before the answer.
  func find(
    _ id: String, _ secret: Token, attempts: Int = maxAttempts,
    arrival: @escaping (Arrival) -> Void = { _ in }, answer: @escaping (Route) -> Void
  ) {
    let unknown = Route.refused(CommandError(.unknownToken, field: "token"))
    let sendOnce = { [visits] (route: Route) in
      visits.begin(by: route, of: id, secret, answer: answer)
    }
    guard !id.isEmpty else { return answer(unknown) }
    if let expected, expected.id == id {
      expected.didArrive()
      return answer(unknown)
    }
    engine.run(.findSession, id, confirmed: .never) { [weak self] reply in
      guard let self, let life = life(), let parts = reply?.elements else {
        return answer(.refused(.engineIsAway))
      }
      guard let kind = parts.first?.text, parts.count >= 3, let place = parts[1].text else {
        return answer(unknown)
      }
      switch kind {
      case "m":
        route(toMatch: place, ownedBy: parts[2].text, at: parts.last?.text, sendOnce) {
          [weak self] in
          guard attempts > 1 else { return answer(.refused(.engineIsAway)) }
          self?.find(id, secret, attempts: attempts - 1, arrival: arrival, answer: answer)
        }
      case "x":
        guard parts.count == 4, let text = parts[3].text, let session = HandedOverSession(text),
          session.tokens.contains(secret.hash)
        else { return answer(unknown) }
        take(session, id, sentTo: place, for: life, arrival, answer)
      default:
        guard place != life.text else { return answer(.here) }
        guard let other = Life(place), let address = parts[2].text else { return answer(unknown) }
        sendOnce(.elsewhere(other, address: address))
      }
    }
  }

  private func take(
    _ session: HandedOverSession, _ id: String, sentTo node: String, for life: Life,
    _ arrival: @escaping (Arrival) -> Void, _ answer: @escaping (Route) -> Void
  ) {
    engine.run(.takeOver, id, life.text) { [weak self] reply in
      guard let self else { return }
      guard life == self.life() else { return answer(.refused(.engineIsAway)) }
      switch reply?.number {
      case 1:
        if node != life.node { visits.didMiss(node, id) }
        onArrival(ArrivingPlayer(id: id, name: session.name, tokens: session.tokens)) {
          arrival(session.arrival(isMissed: node != life.node))
          answer(.here)
        }
      case 0: answer(.refused(CommandError(.unknownToken, field: "token")))
      default:
        // It may be here now, and nobody knows its player.
        if let name = try? PlayerName(session.name) { endSession(id, of: name) }
        answer(.refused(.engineIsAway))
      }
    }
  }

  /// Looks where a match is. One whose owner's life has ended is claimed.
  func find(
    match: String, attempts: Int = maxAttempts, answer: @escaping (Route) -> Void
  ) {
    engine.run(.findMatch, match, confirmed: .never) { [weak self] reply in
      guard let self, let parts = reply?.elements else { return answer(.refused(.engineIsAway)) }
      route(toMatch: match, ownedBy: parts.first?.text, at: parts.last?.text, answer) {
        [weak self] in
        guard attempts > 1 else { return answer(.refused(.engineIsAway)) }
        self?.find(match: match, attempts: attempts - 1, answer: answer)
      }
    }
  }

  /// Finds out where a match is. If another node may have claimed it just now, calls `again`, which
  /// starts over.
  private func route(
    toMatch match: String, ownedBy owner: String?, at address: String?,
    _ answer: @escaping (Route) -> Void, again: @escaping () -> Void
  ) {
    guard let life = life() else { return answer(.refused(.engineIsAway)) }
    guard let owner = owner.flatMap(Life.init) else { return answer(.here) }
    if owner == life {
      if let before = claims.unanswered[match] {
        return claims.claim([match], of: before, for: life, done: again)
      }
      if isKnown(match) { return answer(.here) }
      // The engine has lost that it was given away, or another node has just given it to this one.
      if isGiven(match) { return answer(.refused(.nodeIsAway)) }
      return claims.claim([match], of: life, for: life, done: again)
    }
    if let address { return answer(.elsewhere(owner, address: address)) }
    claims.claim([match], of: owner, for: life, done: again)
  }

  /// Looks where a player is who is not here, to invite them. Nobody is found here. For a player
  /// who is just going from one node to another it waits a while.
  func find(
    player text: String, attempts: Int = maxArrivalAttempts, answer: @escaping (Route) -> Void
  ) {
    guard let key = PlayerName.key(of: text) else { return answer(.here) }
    engine.run(.findName, key.text, confirmed: .never) { [weak self] reply in
      guard let self, let life = life(), let parts = reply?.elements else {
        return answer(.refused(.engineIsAway))
      }
      switch parts.first?.text {
      case "n":
        guard let other = parts[1].text.flatMap(Life.init), other != life,
          let address = parts[2].text
        else { return answer(.here) }
        answer(.elsewhere(other, address: address, player: key))
      case "m": answer(.refused(.opponentInMatch(text)))
      case "x":
        if attempts > 1 {
          timers.schedule(after: Self.arrivalInterval) { [weak self] in
            self?.find(player: text, attempts: attempts - 1, answer: answer)
          }
          return
        }
        answer(
          .refused(
            CommandError(
              .unavailable, "\(text) is just going to another server. Try again in a moment.",
              retry: .seconds(1))))
      default: answer(.here)
      }
    }
  }

  /// Looks where the match is of a player whose name is taken. A player without a match is refused
  /// as `nameTaken`.
  func findMatch(
    of name: PlayerName, attempts: Int = maxAttempts, answer: @escaping (Route) -> Void
  ) {
    engine.run(.findName, name.key.text, confirmed: .never) { [weak self] reply in
      guard let self, let parts = reply?.elements else { return answer(.refused(.engineIsAway)) }
      guard parts.first?.text == "m", let match = parts[1].text else {
        return answer(.refused(.nameTaken))
      }
      route(toMatch: match, ownedBy: parts[2].text, at: parts[3].text, answer) { [weak self] in
        guard attempts > 1 else { return answer(.refused(.engineIsAway)) }
        self?.findMatch(of: name, attempts: attempts - 1, answer: answer)
      }
    }
  }

  /// Whether a player with a name is logged in at any node; `nil` if the engine does not answer.
  func isLoggedIn(_ name: String, answer: @escaping (Bool?) -> Void) {
    guard let key = PlayerName.key(of: name) else { return answer(false) }
    engine.run(.findName, key.text, confirmed: .never) { reply in
      answer(reply?.elements.map { !$0.isEmpty })
    }
  }

  /// Sends a session to another node, where its player resumes it. `command` is carried out there.
  func handOver(
    _ session: Session, by route: Route, _ command: Command?,
    answer: @escaping (Departure) -> Void
  ) {
    guard let life = life(), case .elsewhere(let other, _, let player) = route else {
      return answer(.refused(.engineIsAway))
    }
    guard visits.mayGo(session, by: route) else { return answer(.refused(.nodeIsAway)) }
    let (id, handed) = (session.id, HandedOverSession(session, command))
    engine.run(
      .handOver, id, life.text, other.node, handed.text, String(Self.travelTime.milliseconds),
      String(Self.maxMoves), String(Self.moveInterval.milliseconds), player?.text ?? "",
      player == nil ? "" : other.text
    ) { [weak self] reply in
      guard let self else { return }
      switch reply?.number {
      case 1:
        moveCount += 1
        answer(.left)
      case 2: answer(.playerHasGone)
      case 3: answer(.refused(.movedTooOften))
      case 0: answer(.refused(.engineIsAway))
      default:
        // It may have left, but its player does not know, and stays.
        takeBack(session)
        answer(.refused(.engineIsAway))
      }
    }
  }

  /// A session that was to go to another node stays here.
  func takeBack(_ session: Session) {
    guard let life = life() else { return }
    outbox.post(.takeOver, [session.id, life.text], isKept: false)
  }
}

extension HandedOverSession {
  fileprivate func arrival(isMissed: Bool) -> Arrival {
    guard let command,
      let command = (try? CommandDecoder().decode(Array(command.utf8).span))?.command
    else { return .nothing }
    return isMissed ? .refused(.nodeIsAway) : .command(command)
  }
}

extension CommandError {
  /// The node where the command has to be carried out does not answer, or its player has not
  /// reached it.
  static let nodeIsAway = CommandError(
    .unavailable, "The server where this goes on does not answer. Try again in a moment.",
    retry: .seconds(1))
  static let movedTooOften = CommandError(
    .unavailable, "You have changed servers too often. Try again in a moment.",
    retry: ClusterSessions.moveInterval)

  static func opponentInMatch(_ name: String) -> CommandError {
    CommandError(
      .inMatch, field: "opponent",
      "\(name) is in a match. Try again later, or play with anyone: start")
  }
}
