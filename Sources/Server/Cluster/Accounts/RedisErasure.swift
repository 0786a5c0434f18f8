import Shared

/// Puts `Erasure.someone` into the finished games of a name that the engine keeps: in the list of
/// all games, and in those of the opponents. The list of the name itself is deleted.
struct RedisErasure {
  private let name: PlayerName
  private let eraser: NameEraser
  private let engine: any Redis

  init(of name: PlayerName, engine: any Redis) {
    self.name = name
    self.engine = engine
    eraser = NameEraser(name)
  }

  /// The answer is the number of the games; `nil` if the engine does not answer.
  func run(answer: @escaping (Int?) -> Void) {
    var commands = RedisCommands()
    commands.add("LRANGE", RedisKey.history(name.key), "0", "-1")
    // The list of a name ends with its time, and may lack the first ones.
    commands.add("LRANGE", RedisKey.history(nil), "0", "-1")
    engine.send(commands, confirmed: .never) { replies in
      guard let lists = replies?.map(\.elements), lists.count == 2, let own = lists[0],
        let all = lists[1]
      else { return answer(nil) }
      let results = Set((own + all).compactMap(\.text)).compactMap(change)
      var changes = RedisCommands()
      for result in results {
        changes.add(
          .replaceResult, keys: result.lists, arguments: [result.id, result.old, result.new])
      }
      changes.add("DEL", RedisKey.history(name.key))
      engine.send(changes, confirmed: .now) { replies in
        answer(replies?.contains { $0.isError } == false ? results.count : nil)
      }
    }
  }

  private struct Change {
    let id: String
    let old: String
    let new: String
    /// The keys of the lists with this result.
    let lists: [String]
  }

  /// Returns `nil` for a game of others.
  private func change(_ text: String) -> Change? {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // The id, and the fields of `GameResult.text`.
    guard lines.count == 9 else { return nil }
    let players = PerMark(x: lines[3], o: lines[4])
    guard eraser.hasName(in: players) else { return nil }
    let new = eraser.players(players)
    (lines[3], lines[4]) = (new.x, new.o)
    let others = [players.x, players.o].compactMap { PlayerName.key(of: $0) }
      .filter { $0 != name.key }
    return Change(
      id: lines[0], old: text, new: lines.joined(separator: "\n"),
      lists: [RedisKey.history(nil)] + others.map { RedisKey.history($0) })
  }
}

extension RedisScript {
  /// Replaces a result in lists of finished games.
  ///
  /// Keys: the lists. Arguments: the id, the result with it, and another one.
  static let replaceResult = RedisScript(
    name: "replaceResult",
    text: """
      for _, list in ipairs(KEYS) do
        local first, last = 0, redis.call('LLEN', list)
        while first < last do
          local middle = math.floor((first + last) / 2)
          local id = string.match(redis.call('LINDEX', list, middle), '^%d+')
          if tonumber(id) <= tonumber(ARGV[1]) then last = middle else first = middle + 1 end
        end
        if redis.call('LINDEX', list, first) == ARGV[2] then
          redis.call('LSET', list, first, ARGV[3])
        end
      end
      return 1
      """)
}
