import Foundation
import Shared

/// Writes the results of finished games into the engine, each once. If the engine does not answer,
/// it tries again until it does, so those of a match are always written in order.
final class ResultWriter {
  /// The delay before the next attempt, if the engine has not answered.
  static let retryDelay: Duration = .milliseconds(500)
  /// How long the engine knows which results of a match were written, once the match has ended.
  /// Nobody reads the records of a match as late as that, because its stream is gone much earlier.
  static let memory: Duration = .seconds(7 * 86_400)

  /// Called with a name whose ratings in the cache may be old.
  var onDoubt: (ExactText) -> Void = { _ in }
  private let engine: any Redis
  private let cache: AccountCache
  private let timers: any Timers
  private let now: () -> Date
  private let batches: ScriptBatches
  private var matches: [String: FollowedMatch] = [:]
  /// What waits for the results of an account.
  private var waiting: [Int: [(_ areWritten: Bool) -> Void]] = [:]

  init(
    engine: any Redis, cache: AccountCache, timers: any Timers, now: @escaping () -> Date
  ) {
    self.engine = engine
    batches = ScriptBatches(engine)
    self.cache = cache
    self.timers = timers
    self.now = now
  }

  /// Takes up records of a match that are stored for good: the next ones, or all of them again.
  func didStore(_ records: [UInt8], of id: String) {
    let match: FollowedMatch
    if let known = matches[id] {
      match = known
    } else {
      match = FollowedMatch(id)
      matches[id] = match
    }
    match.read(records, at: now().milliseconds)
    writeNext(of: match)
  }

  /// No more records of a match will come. Calls `then` when its results are in the engine.
  func matchDidEnd(_ id: String, then: @escaping () -> Void) {
    guard let match = matches[id] else { return then() }
    let before = match.didFinish
    match.didFinish = {
      before?()
      then()
    }
    writeNext(of: match)
  }

  /// Whether results of a match may still have to be written.
  func follows(_ id: String) -> Bool { matches[id] != nil }

  /// Calls `action` when the results of an account that were not written yet are in the engine, or
  /// with `false` if the engine does not answer.
  func afterResults(of account: Int, _ action: @escaping (_ areWritten: Bool) -> Void) {
    let isPending = matches.values.contains { match in
      match.results.contains { $0.result.accounts?.contains(account) == true }
    }
    if isPending { waiting[account, default: []].append(action) } else { action(true) }
  }

  private func tell(_ result: GameResult, areWritten: Bool) {
    guard let accounts = result.accounts else { return }
    for account in [accounts.x, accounts.o] {
      for action in waiting.removeValue(forKey: account) ?? [] {
        if areWritten { afterResults(of: account, action) } else { action(false) }
      }
    }
  }

  private func writeNext(of match: FollowedMatch) {
    guard !match.isWriting else { return }
    guard let next = match.results.first else { return finish(match) }
    match.isWriting = true
    write(next, of: match, from: cachedRatings(for: next))
  }

  private func finish(_ match: FollowedMatch) {
    guard let didFinish = match.didFinish else { return }
    matches[match.id] = nil
    if match.record?.hasEnded == true, match.last > 0 {
      // This only frees memory. Another owner may still need it otherwise.
      engine.ask(
        "EXPIRE", RedisKey.results(match.id), String(Self.memory.components.seconds)
      ) { _ in }
    }
    didFinish()
  }

  /// What the ratings probably are. The engine answers with the right ones if they are others.
  private func cachedRatings(for next: NumberedResult) -> PerMark<RedisRating>? {
    next.result.accounts.map { accounts in
      PerMark(x: Mark.x, o: .o).map { mark in
        cache.rating(of: accounts[mark], next.keys[mark], in: next.result.game)
          .map { .rated($0) } ?? .new
      }
    }
  }

  /// Writes a result, with ratings that are computed from others. These are `nil` if the game is
  /// not rated.
  private func write(
    _ next: NumberedResult, of match: FollowedMatch, from ratings: PerMark<RedisRating>?
  ) {
    let (result, keys) = (next.result, next.keys)
    var names = [
      RedisKey.results(match.id), RedisKey.games, RedisKey.history(nil),
      RedisKey.history(keys.x), RedisKey.history(keys.o),
    ]
    var arguments = [
      String(next.seq), result.text, String(RedisKey.maxGamesPerPlayer), String(RedisKey.maxGames),
    ]
    var entries: PerMark<RatingEntry>?
    if let accounts = result.accounts, let ratings {
      names += [RedisKey.account(keys.x), RedisKey.account(keys.o)]
      names.append(RedisKey.leaderboard(result.game))
      arguments.append(RedisKey.rating(result.game))
      let new = ratings.map(\.entry).updated(winner: result.outcome.winner)
      for mark in Mark.allCases {
        arguments += [
          String(accounts[mark]), ratings[mark].text, new[mark].text,
          String(-new[mark].rating.rounded),
          RedisKey.member(result.players[mark], keys[mark]),
        ]
      }
      entries = new
    }
    batches.run(.writeResult, keys: names, arguments: arguments) { [weak self] reply in
      self?.didAnswer(reply, to: next, of: match, from: ratings, entries)
    }
  }

  private func didAnswer(
    _ reply: RedisReply?, to next: NumberedResult, of match: FollowedMatch,
    from ratings: PerMark<RedisRating>?, _ entries: PerMark<RatingEntry>?
  ) {
    switch reply {
    case .status:
      if let accounts = next.result.accounts, let entries {
        for mark in Mark.allCases {
          cache.set(
            entries[mark], of: accounts[mark], next.keys[mark], in: next.result.game)
        }
      }
      didWrite(upTo: next.seq, of: match)
    case .integer(let seq):
      // By the owner before, or by an attempt that got no answer.
      let before = match.results.filter { $0.seq <= seq && $0.result.accounts != nil }
      for key in Set(before.flatMap { [$0.keys.x, $0.keys.o] }) { onDoubt(key) }
      didWrite(upTo: seq, of: match)
    case .array(let present):
      let present = present.compactMap { $0.text.flatMap(RedisRating.init) }
      guard present.count == 2 else { return tryAgain(next, of: match, from: ratings) }
      write(next, of: match, from: PerMark(x: present[0], o: present[1]))
    case .error, .bulk, .null, nil:
      tryAgain(next, of: match, from: ratings)
    }
  }

  private func didWrite(upTo seq: Int, of match: FollowedMatch) {
    let written = match.results.prefix { $0.seq <= seq }
    match.didWrite(upTo: seq)
    match.isWriting = false
    for result in written { tell(result.result, areWritten: true) }
    writeNext(of: match)
  }

  private func tryAgain(
    _ next: NumberedResult, of match: FollowedMatch, from ratings: PerMark<RedisRating>?
  ) {
    tell(next.result, areWritten: false)
    timers.schedule(after: Self.retryDelay) { [weak self] in
      self?.write(next, of: match, from: ratings)
    }
  }
}

extension PerMark<Int> {
  fileprivate func contains(_ account: Int) -> Bool { x == account || o == account }
}
