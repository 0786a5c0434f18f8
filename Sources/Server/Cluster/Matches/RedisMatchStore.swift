import Foundation
import Shared

/// Keeps matches in the engine, each in a stream of its own. Output waits until the engine and its
/// replicas have what it says: one batch, with up to one entry of each match, is on its way at a
/// time, and what happens meanwhile goes with the next one.
final class RedisMatchStore {
  /// How long a match that is finished, or was given away, is still compared with its stream.
  static let finishedTime: Duration = .seconds(10)

  /// Called when a match has another owner. It is not stored any more.
  var onFence: (_ match: String) -> Void = { _ in }
  /// Called with the records of each entry that is stored, in the order of the match.
  var onStore: (_ records: [UInt8], _ match: String) -> Void = { _, _ in }
  /// Called when the last entry of a match is stored, with the ids of its players' sessions; again
  /// if the engine may have lost what follows from that.
  var onFinish: (_ match: String, _ sessions: [String]) -> Void = { _, _ in }
  /// Called when nothing more is sent until `compare`: the engine has not answered, or has refused
  /// an entry.
  var onTrouble: () -> Void = {}
  /// Whether there is room for more games. Set by the node.
  var hasRoom = false
  /// Their clock stands still while nothing can be stored.
  let matchTimers: PausableTimers
  let former: FormerMatches
  private let engine: any Redis
  private let gate: OutputGate
  private let timers: any Timers
  /// `nil` unless somebody asks how long writes take.
  private let metrics: Metrics?
  let encoder = RecordEncoder()
  private var life: Life?
  private var begun = 0
  private var matches: [String: OwnedMatch] = [:]
  /// The matches with something to send.
  private var behind: [OwnedMatch] = []
  /// The matches whose ends are not stored.
  private var ending: [OwnedMatch] = []
  /// Those of the next batch, whose memory is used again.
  private var commands = RedisCommands()
  /// The matches that are given to other nodes with the next batch.
  private var gifts: [Gift] = []
  /// The matches that were given away a moment ago, by their ids. Until the other nodes have read
  /// their streams, nobody else can add what a failover loses of them.
  private var given: [String: OwnedMatch] = [:]
  private var state = State.held
  /// Goes up when all matches are given up, so that late answers are ignored.
  private var generation = 0

  private struct Gift {
    let match: OwnedMatch
    let target: Life
    /// Further arguments of the script.
    let arguments: [String]
    let done: (_ isGiven: Bool?) -> Void
  }

  private enum State {
    /// Nothing is sent, and all output waits.
    case held
    /// The streams are being compared.
    case comparing
    case idle
    case sending
  }

  init(engine: any Redis, gate: OutputGate, timers: any Timers, metrics: Metrics? = nil) {
    self.metrics = metrics
    self.engine = engine
    self.gate = gate
    self.timers = timers
    matchTimers = PausableTimers(timers)
    former = FormerMatches(engine: engine)
    gate.onCommit = { [unowned self] in commit() }
  }

  /// Whether something is not stored yet.
  var isStoring: Bool { gate.isHeld }

  /// The ids of the matches that this node owns.
  var ids: [String] { Array(matches.keys) }

  func contains(_ match: String) -> Bool { matches[match] != nil }

  /// A new life of the node begins, without matches.
  func begin(_ life: Life) {
    giveUp()
    former.removeAll()
    self.life = life
    state = .idle
    sendNext()
  }

  /// The matches that can go to another node, in order, with the number of their players.
  var movable: [(match: String, players: Int)] {
    sortedMatches.filter { !$0.isFinished && !$0.sessions.isEmpty }.map {
      ($0.id, $0.sessions.count)
    }
  }

  /// Whether all that has happened in a match is stored, and more can be.
  func isSettled(_ match: String) -> Bool {
    switch state {
    case .held, .comparing: return false
    case .idle, .sending: break
    }
    return matches[match].map { !$0.isBehind && !$0.isFinished } ?? false
  }

  /// Gives a settled match to another life; the arguments are further ones of the script. Output
  /// waits until the engine has that. `done` is called before it leaves, with false if the engine
  /// has refused, and with `nil` if it has not answered.
  func give(
    _ id: String, to target: Life, _ arguments: [String],
    done: @escaping (_ isGiven: Bool?) -> Void
  ) {
    guard let match = matches.removeValue(forKey: id) else { return done(false) }
    gifts.append(Gift(match: match, target: target, arguments: arguments, done: done))
    given[id] = match
    timers.schedule(after: Self.finishedTime) { [weak self, weak match] in
      guard let self, let match, given[id] === match else { return }
      given[id] = nil
    }
    gate.close(true)
  }

  /// Whether the stream of a match that was given away lacks nothing.
  func hasStored(given match: String) -> Bool { given[match].map { !$0.isBehind } ?? true }

  /// A match that was given away is certainly somebody's.
  func forget(given match: String) { given[match] = nil }

  func lastID(of match: String) -> String? { matches[match]?.lastID }

  private func isOurs(_ match: OwnedMatch) -> Bool {
    matches[match.id] === match || given[match.id] === match
  }

  /// Whether a match of a session has ended, and its end is not stored.
  func isEnding(matchOf session: String) -> Bool {
    ending.contains { matches[$0.id] === $0 && !$0.isStored && $0.sessions.contains(session) }
  }

  /// Takes over a match that was claimed.
  func take(_ match: OwnedMatch) { matches[match.id] = match }

  /// A match that was taken over does not go on here.
  func drop(_ match: String) { matches[match] = nil }

  /// Always in the same order, so that a run can be repeated.
  private var sortedMatches: [OwnedMatch] { matches.values.sorted { $0.id < $1.id } }
  private var sortedOurs: [OwnedMatch] {
    sortedMatches + given.values.sorted { $0.id < $1.id }
  }

  /// Sends nothing and holds all output until `compare`.
  func hold() {
    state = .held
    matchTimers.pause()
    gate.close(true)
  }

  /// Gives up all matches, which others will take over. Nothing is held any more.
  func giveUp() {
    generation += 1
    former.add(sortedOurs, of: life)
    life = nil
    matches = [:]
    behind = []
    ending = []
    state = .idle
    matchTimers.resume()
    gate.open()
    let refused = gifts
    gifts = []
    given = [:]
    for gift in refused { gift.done(nil) }
  }

  /// Compares each stream with what it should contain, and then sends what it lacks. Needed after
  /// each new connection to the engine, whose new primary may lack entries that the one before had
  /// confirmed.
  func compare() {
    guard case .held = state else { return }
    let all = sortedOurs
    guard !all.isEmpty else { return goOn() }
    state = .comparing
    var commands = RedisCommands()
    for match in all { match.addComparison(to: &commands) }
    let generation = generation
    // Durably, because the primary may have an entry that no replica has: its `WAIT` has failed.
    engine.send(commands, confirmed: .now) { [weak self] replies in
      guard let self, generation == self.generation, case .comparing = state else { return }
      didCompare(all, replies)
    }
  }

  private func didCompare(_ all: [OwnedMatch], _ replies: [RedisReply]?) {
    guard var replies = replies?[...], replies.allSatisfy({ $0.elements != nil }) else {
      return fail()
    }
    for match in all {
      let isMine = match.compare(with: &replies)
      if !isMine, given[match.id] === match { given[match.id] = nil }
      guard matches[match.id] === match else { continue }
      guard !isMine else {
        // The engine may have lost the end of a match also with all its entries there.
        if match.isStored { onFinish(match.id, match.sessions) }
        continue
      }
      matches[match.id] = nil
      onFence(match.id)
    }
    goOn()
  }

  private func goOn() {
    state = .idle
    matchTimers.resume()
    for match in sortedOurs where match.isBehind { list(match) }
    sendNext()
  }

  private func fail() {
    hold()
    onTrouble()
  }

  private func list(_ match: OwnedMatch) {
    guard !match.isListed else { return }
    match.isListed = true
    behind.append(match)
  }

  /// Sends what the matches of this turn have appended. The gate calls it.
  private func commit() {
    if case .idle = state { sendNext() }
  }

  private func sendNext() {
    // A player's next match must not be there without the end of the one before: if this node died,
    // whoever claims that one would have the player too.
    let all =
      behind.contains(where: \.isFinished)
      ? behind.filter(\.isFinished) + behind.filter { !$0.isFinished } : behind
    var leaving: Set<String> = []
    behind = []
    defer { commands.removeAll() }
    var sent: [(match: OwnedMatch, reply: Int)] = []
    for match in all where isOurs(match) {
      match.isListed = false
      guard match.isBehind else { continue }
      if match.beginsNext, match.sessions.contains(where: leaving.contains) {
        list(match)
        continue
      }
      sent.append((match, match.addNext(to: &commands)))
      guard match.hasMore else { continue }
      list(match)
      if match.isFinished { leaving.formUnion(match.sessions) }
    }
    let offered = gifts
    gifts = []
    let firstGift = commands.count
    for gift in offered {
      commands.add(
        .giveMatch,
        arguments: [
          gift.match.id, life?.text ?? "", gift.target.text, gift.match.lastID ?? "",
        ] + gift.arguments)
    }
    guard !commands.isEmpty else {
      state = .idle
      return gate.open()
    }
    state = .sending
    // An entry that was sent before may have records of its match behind it, which go next.
    let commit = behind.isEmpty ? gate.committed : nil
    let generation = generation
    let begin = metrics.map { _ in timers.preciseNow }
    engine.send(commands, confirmed: .now) { [weak self] replies in
      for (index, gift) in offered.enumerated() {
        gift.done(replies.map { $0[firstGift + index].number == 1 })
      }
      guard let self, generation == self.generation else { return }
      if let begin { metrics?.engineWrites.add(timers.preciseNow - begin) }
      didSend(sent, commit, replies)
    }
  }

  private func didSend(
    _ sent: [(match: OwnedMatch, reply: Int)], _ commit: Int?, _ replies: [RedisReply]?
  ) {
    var isWhole = replies != nil
    for (match, index) in sent where isOurs(match) {
      guard let replies, case .bulk = replies[index] else {
        isWhole = false
        continue
      }
      if let records = match.confirm() { onStore(records, match.id) }
      guard match.isStored else { continue }
      onFinish(match.id, match.sessions)
      timers.schedule(after: Self.finishedTime) { [weak self, weak match] in
        guard let self, let match, matches[match.id] === match else { return }
        matches[match.id] = nil
      }
    }
    ending.removeAll { $0.isStored || matches[$0.id] !== $0 }
    // Held meanwhile: then the streams are compared first.
    guard case .sending = state else { return }
    // A refused entry, or one whose stream is gone, is neither stored nor lost.
    guard isWhole else { return fail() }
    if let commit { gate.advance(to: commit) }
    state = .idle
    if gate.isHeld { sendNext() }
  }

  func append(_ kind: RecordKind, _ payload: Span<UInt8>, to match: String) {
    // A match of a life that has ended.
    guard let match = matches[match], life != nil else { return }
    match.append(kind, payload)
    list(match)
    gate.close(true)
  }
}

extension RedisMatchStore: RecordStore {
  func newMatchID() -> String {
    begun += 1
    return "\(MatchID.digits(life?.incarnation ?? 0))-\(MatchID.digits(begun))"
  }

  func begin(_ id: String, game: String, players: PerMark<StoredPlayer?>) {
    guard let life else { return }
    let sessions = [players.x?.id, players.o?.id].compactMap(\.self)
    matches[id] = OwnedMatch(id, sessions: sessions, begunBy: life)
    let record = BeginningRecord(match: id, game: game, X: players.x, O: players.o)
    append(.beginning, record, to: id)
  }

  func end(_ match: String, game: String) {
    guard let match = matches[match] else { return }
    match.finish()
    ending.append(match)
  }
}
