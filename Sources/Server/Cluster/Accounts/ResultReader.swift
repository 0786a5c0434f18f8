import Foundation
import Shared

/// Reads finished games, leaderboards and finished matches from the engine. The time that it takes
/// here counts for the client's address.
struct ResultReader {
  let engine: any Redis
  let archives: ArchiveInquiry
  let timers: any Timers
  let now: () -> Date

  /// `key` is that of a player's name; without one it returns the games of all.
  func history(
    of key: ExactText?, before: Int?, for usage: AddressUsage,
    answer: @escaping CommandAnswer<HistoryPage>
  ) {
    var commands = RedisCommands()
    // One more, to know whether there are older games.
    commands.add(
      .readHistory, keys: [RedisKey.history(key)],
      arguments: [String(before ?? .max), String(ProtocolLimits.maxHistoryItems + 1)])
    let now = now().milliseconds
    ask(commands, for: usage) { reply in
      reply.elements.map { elements in
        let items = elements.compactMap { $0.text.flatMap { HistoryItem($0, now: now) } }
        let page = Array(items.prefix(ProtocolLimits.maxHistoryItems))
        return HistoryPage(page, next: items.count > page.count ? page.last?.id : nil)
      }
    } answer: {
      answer($0)
    }
  }

  func leaderboard(
    of game: String, for usage: AddressUsage, answer: @escaping CommandAnswer<Leaderboard>
  ) {
    var commands = RedisCommands()
    commands.add(
      .readLeaderboard, keys: [RedisKey.leaderboard(game)],
      arguments: [String(ProtocolLimits.maxLeaderboardItems), RedisKey.rating(game)])
    ask(commands, for: usage) { reply in
      reply.elements.map { Leaderboard(game: game, players: $0) }
    } answer: {
      answer($0)
    }
  }

  /// Returns the events of a finished match after one. It reads the whole stream for each part.
  func replay(
    of match: String, after seq: Int, for usage: AddressUsage,
    answer: @escaping CommandAnswer<StoredReplay>
  ) {
    // A match that goes on may have a long stream, so only its last entry is read.
    var commands = RedisCommands()
    commands.add("XREVRANGE", RedisKey.stream(match), "+", "-", "COUNT", "1")
    ask(commands, for: usage) {
      $0.elements
    } answer: { result in
      switch result {
      case .failure(let error): answer(.failure(error))
      case .success(let last):
        guard let last = last.first.flatMap({ StreamEntry($0) }) else {
          return archives.replay(of: match, after: seq, answer: answer)
        }
        guard last.isFinished else { return answer(.failure(.notFinished)) }
        readWhole(match, after: seq, for: usage, answer: answer)
      }
    }
  }

  private func readWhole(
    _ match: String, after seq: Int, for usage: AddressUsage,
    answer: @escaping CommandAnswer<StoredReplay>
  ) {
    var commands = RedisCommands()
    commands.add("XRANGE", RedisKey.stream(match), "-", "+")
    ask(commands, for: usage) { reply -> Result<StoredReplay?, CommandError>? in
      guard let elements = reply.elements else { return nil }
      // Without its records a follower has it, or takes it now.
      if StreamEntry.isRemoved(elements.compactMap { StreamEntry($0) }) { return .success(nil) }
      guard let entries = StreamEntry.stream(in: elements) else { return .failure(.damagedMatch) }
      return MatchLines(entries.flatMap(\.records)).flatMap { StoredReplay($0, after: seq) }
        .map { .success($0) } ?? .failure(.notFinished)
    } answer: { result in
      switch result.flatMap({ $0 }) {
      case .success(let replay?): answer(.success(replay))
      case .success(nil): archives.replay(of: match, after: seq, answer: answer)
      case .failure(let error): answer(.failure(error))
      }
    }
  }

  /// Asks the engine, and makes a value of the first reply. `make` returns `nil` for a reply that
  /// is of no use.
  private func ask<Value>(
    _ commands: RedisCommands, for usage: AddressUsage, _ make: @escaping (RedisReply) -> Value?,
    answer: @escaping CommandAnswer<Value>
  ) {
    engine.send(commands, confirmed: .now) { [timers] replies in
      let begin = timers.preciseNow
      let value = replies?.first.flatMap(make)
      usage.charge(timers.preciseNow - begin, at: timers.now)
      answer(value.map { .success($0) } ?? .failure(.engineIsAway))
    }
  }
}

extension Leaderboard {
  /// Reads the names and ratings of players, the best first.
  fileprivate init(game: String, players: [RedisReply]) {
    var items: [LeaderboardItem] = []
    for player in players {
      guard let words = player.elements, words.count == 2, let name = words[0].text,
        let entry = words[1].text.flatMap(RatingEntry.init)
      else { continue }
      items.append(
        LeaderboardItem(
          rank: items.count + 1, name: name, rating: entry.rating.rounded,
          isProvisional: entry.rating.isProvisional, won: entry.won, lost: entry.lost,
          drawn: entry.drawn))
    }
    self.init(game: game, items)
  }
}
