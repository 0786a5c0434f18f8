import Shared

/// Takes over the matches of lives that have ended: at once those whose players come here, and the
/// others bit by bit.
final class MatchClaims {
  /// The maximum number of matches that are claimed together.
  static let maxCount = 200

  /// Called with the matches that were taken over, and their streams.
  var onClaim: ([(state: StoredMatch, stream: OwnedMatch, records: [UInt8])]) -> Void = { _ in }
  /// Called with the players and the records of a match that is this node's, but has ended.
  var onEnded: (_ match: String, [StoredPlayer], _ records: [UInt8]) -> Void = { _, _, _ in }
  /// Called with a match that cannot be taken over, and the reason for people.
  var onDamage: (_ match: String, _ reason: String) -> Void = { _, _ in }
  /// The number of matches that were claimed.
  private(set) var count = 0
  private let engine: any Redis
  private let games: GameRegistry
  /// The word by which this process knows its claims.
  let nonce: String
  /// The lives whose matches are being claimed.
  private var busy: Set<Life> = []
  /// The matches whose claims the engine has not answered, and the lives that had them. The claims
  /// may have been carried out, so they are repeated.
  private(set) var unanswered: [String: Life] = [:]
  /// The matches that were taken up in this life.
  private var taken: Set<String> = []
  /// Goes up when the life ends, so that late answers are ignored.
  private var generation = 0

  init(engine: any Redis, games: GameRegistry, random: RandomSource) {
    self.engine = engine
    self.games = games
    nonce = random.letters(16)
  }

  /// Claims some matches of lives that have ended: those of which this node is the heir. And claims
  /// again what it may have claimed without a reply, because nobody else may.
  func claim(from ended: [Life], for life: Life, _ watch: NodeWatch) {
    for (match, other) in unanswered.sorted(by: { $0.key < $1.key }) {
      claim([match], of: other, for: life) {}
    }
    for other in ended where !busy.contains(other) {
      busy.insert(other)
      engine.ask("SRANDMEMBER", "o:\(other.text)", String(2 * Self.maxCount)) { [weak self] reply in
        guard let self else { return }
        guard let matches = reply?.elements?.compactMap(\.text) else {
          busy.remove(other)
          return
        }
        guard !matches.isEmpty else {
          busy.remove(other)
          return engine.run(.forgetLife, other.text) { _ in }
        }
        let mine = matches.filter { watch.heir(of: $0) == life.node }.prefix(Self.maxCount)
        claim(Array(mine), of: other, for: life) { [weak self] in self?.busy.remove(other) }
      }
    }
  }

  /// Claims matches of a life that has ended, and calls `done` when the answer has come, whatever
  /// it is.
  func claim(
    _ matches: [String], of other: Life, for life: Life, done: @escaping () -> Void
  ) {
    guard !matches.isEmpty else { return done() }
    var commands = RedisCommands()
    for match in matches { commands.add(.claim, arguments: [match, other.text, life.text, nonce]) }
    let generation = generation
    engine.send(commands, confirmed: .now) { [weak self] replies in
      if let self, generation == self.generation {
        for match in matches { unanswered[match] = replies == nil ? other : nil }
        if let replies { didClaim(zip(matches, replies), for: life) }
      }
      done()
    }
  }

  /// Looks for matches that have ended here and that the engine still has as this life's, because
  /// a failover has lost their ends, and ends them again. `isKnown` returns whether a match goes on
  /// here, or its end is on its way. Needed after each new connection.
  func endLost(of life: Life, isKnown: @escaping (_ match: String) -> Bool) {
    let generation = generation
    engine.ask("SMEMBERS", "o:\(life.text)") { [weak self] reply in
      guard let self, generation == self.generation else { return }
      let matches = (reply?.elements ?? []).compactMap(\.text)
        .filter { self.unanswered[$0] == nil && !isKnown($0) }
      end(matches, of: life)
    }
  }

  /// Ends matches that are this life's in the engine only; takes up those that were given to it.
  func end(_ matches: [String], of life: Life) {
    guard !matches.isEmpty else { return }
    var commands = RedisCommands()
    for match in matches {
      let claim = taken.contains(match) ? "" : "\(life.text) \(nonce)"
      commands.add(.endLostMatch, arguments: [match, life.text, claim])
    }
    let generation = generation
    // Without an answer the connection has ended, and the next one brings another look.
    engine.send(commands, confirmed: .now) { [weak self] replies in
      guard let self, let replies, generation == self.generation else { return }
      for (match, reply) in zip(matches, replies) {
        if reply.number == 2 { claim([match], of: life, for: life) {} }
        guard let entries = reply.elements.flatMap(StreamEntry.stream) else { continue }
        let records = entries.flatMap(\.records)
        onEnded(match, BeginningRecord.players(in: records), records)
      }
    }
  }

  /// The life for which matches were claimed has ended. What the engine answers later is ignored.
  func giveUp() {
    generation += 1
    unanswered = [:]
    taken = []
  }

  private func didClaim(_ replies: Zip2Sequence<[String], [RedisReply]>, for life: Life) {
    var claimed: [(state: StoredMatch, stream: OwnedMatch, records: [UInt8])] = []
    for (match, reply) in replies {
      guard let elements = reply.elements else { continue }
      guard let entries = StreamEntry.stream(in: elements) else {
        onDamage(match, "an entry of its stream is missing")
        continue
      }
      let records = entries.flatMap(\.records)
      do throws(JournalDamage) {
        var replay = MatchReplay(games)
        try replay.apply(records: records.span)
        count += 1
        taken.insert(match)
        if let state = replay.liveMatches.first {
          let sessions = [state.players.x?.id, state.players.o?.id].compactMap(\.self)
          let stream = OwnedMatch(match, sessions: sessions, claimedBy: life, with: entries)
          claimed.append((state, stream, records))
        } else {
          onEnded(match, BeginningRecord.players(in: records), records)
        }
      } catch {
        onDamage(match, error.reason)
      }
    }
    if !claimed.isEmpty { onClaim(claimed) }
  }
}

extension BeginningRecord {
  /// Returns the players of a match, without the bot.
  fileprivate static func players(in records: [UInt8]) -> [StoredPlayer] {
    var beginning: BeginningRecord?
    records.withUnsafeBytes { records in
      records.forEachRecord { kind, payload in
        if kind == .beginning { beginning = payload.decoded(as: BeginningRecord.self) }
      }
    }
    return [beginning?.X, beginning?.O].compactMap(\.self)
  }
}
