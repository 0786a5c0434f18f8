import Shared

/// Reads and writes the accounts in the engine. What is written is durable before it is answered.
struct RedisAccounts {
  let engine: any Redis
  let games: GameRegistry

  /// Reads the account of a name with its ratings; `nil` for the name of a guest.
  func read(_ key: ExactText, answer: @escaping CommandAnswer<RedisAccount?>) {
    engine.ask("HGETALL", RedisKey.account(key), confirmed: .withThisTurn) { reply in
      let words = reply?.elements
      let entry = words.flatMap { RedisAccount($0, key: key) }
      guard entry != nil || words == [] else { return answer(.failure(.engineIsAway)) }
      answer(.success(entry))
    }
  }

  /// Adds an account. The answer is its id; 0 if the name is registered already; and `nil`, here
  /// and below, if the engine is away.
  ///
  /// `time` is in milliseconds since 1970.
  func add(
    _ name: PlayerName, _ hash: String, at time: Int, answer: @escaping (Int?) -> Void
  ) {
    engine.run(
      .addAccount, keys: [RedisKey.account(name.key), RedisKey.accounts], name.text, hash,
      String(time)
    ) { answer($0?.number) }
  }

  /// Looks through the names of all accounts, in many small steps. The answer is their keys, in
  /// order.
  func find(like pattern: NamePattern, answer: @escaping ([ExactText]?) -> Void) {
    find(like: pattern, from: "0", [], answer: answer)
  }

  private func find(
    like pattern: NamePattern, from cursor: String, _ found: Set<ExactText>,
    answer: @escaping ([ExactText]?) -> Void
  ) {
    let prefix = RedisKey.accountPrefix
    engine.ask("SCAN", cursor, "MATCH", "\(prefix)*", "COUNT", "1000") { reply in
      guard let parts = reply?.elements, parts.count == 2, let next = parts[0].text,
        let names = parts[1].elements
      else { return answer(nil) }
      // The engine may name one twice.
      let found = found.union(
        names.compactMap { $0.text.map { ExactText(String($0.dropFirst(prefix.count))) } }
          .filter(pattern.matches))
      guard next == "0" else {
        return find(like: pattern, from: next, found, answer: answer)
      }
      answer(found.sorted { $0.text < $1.text })
    }
  }

  /// Reads accounts that may be gone meanwhile.
  func read(_ keys: [ExactText], answer: @escaping ([RedisAccount]?) -> Void) {
    guard !keys.isEmpty else { return answer([]) }
    var commands = RedisCommands()
    for key in keys { commands.add("HGETALL", RedisKey.account(key)) }
    engine.send(commands, confirmed: .never) { replies in
      answer(
        replies.map { replies in
          zip(replies, keys).compactMap { reply, key in
            reply.elements.flatMap { RedisAccount($0, key: key) }
          }
        })
    }
  }

  /// The answer is how many finished games of a name there are, and the text of the last one.
  func countGames(
    of key: ExactText, answer: @escaping ((count: Int, last: String?)?) -> Void
  ) {
    var commands = RedisCommands()
    commands.add("LLEN", RedisKey.history(key))
    commands.add("LINDEX", RedisKey.history(key), "0")
    engine.send(commands, confirmed: .never) { replies in
      guard let replies, replies.count == 2, let count = replies[0].number else {
        return answer(nil)
      }
      answer((count, replies[1].text))
    }
  }

  /// Changes the password of an account. The answer is 0 if it has changed since it was checked.
  func changePassword(
    of account: Account, to hash: String, answer: @escaping (Int?) -> Void
  ) {
    engine.run(
      .changePassword, keys: [RedisKey.account(account.key)], String(account.id),
      account.password, hash
    ) { answer($0?.number) }
  }

  /// Removes an account. The answer is 0 if somebody else has done so.
  func remove(_ account: Account, answer: @escaping (Int?) -> Void) {
    let leaderboards = games.games.map { RedisKey.leaderboard($0.info.id) }
    engine.run(
      .removeAccount, keys: [RedisKey.account(account.key)] + leaderboards, String(account.id),
      RedisKey.member(account.name, account.key)
    ) { answer($0?.number) }
  }
}

extension CommandError {
  static let engineIsAway = notAvailableNow(retry: .seconds(1))
}
