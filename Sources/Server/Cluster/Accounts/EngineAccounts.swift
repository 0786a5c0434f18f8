import Shared

/// Reads and writes the accounts in the engine. What is written is durable before it is answered.
struct EngineAccounts {
  let engine: any Engine
  let games: GameRegistry

  /// Reads the account of a name with its ratings; `nil` for the name of a guest.
  func read(
    _ key: ExactText, answer: @escaping (Result<AccountCache.Entry?, CommandError>) -> Void
  ) {
    engine.ask("HGETALL", EngineKey.account(key), durably: true) { reply in
      let words = reply?.elements
      let entry = words.flatMap { AccountCache.Entry($0, key: key) }
      guard entry != nil || words == [] else { return answer(.failure(.engineIsAway)) }
      answer(.success(entry))
    }
  }

  /// Adds an account. The answer is its id; 0 if the name is registered already; and `nil`, here
  /// and below, if the engine is away.
  func add(_ name: PlayerName, _ hash: String, answer: @escaping (Int?) -> Void) {
    engine.run(
      .addAccount, keys: [EngineKey.account(name.key), EngineKey.accounts], name.text, hash
    ) { answer($0?.number) }
  }

  /// Changes the password of an account. The answer is 0 if it has changed since it was checked.
  func changePassword(
    of account: Account, to hash: String, answer: @escaping (Int?) -> Void
  ) {
    engine.run(
      .changePassword, keys: [EngineKey.account(account.key)], String(account.id),
      account.password, hash
    ) { answer($0?.number) }
  }

  /// Removes an account. The answer is 0 if somebody else has done so.
  func remove(_ account: Account, answer: @escaping (Int?) -> Void) {
    let leaderboards = games.games.map { EngineKey.leaderboard($0.info.id) }
    engine.run(
      .removeAccount, keys: [EngineKey.account(account.key)] + leaderboards, String(account.id),
      EngineKey.member(account.name, account.key)
    ) { answer($0?.number) }
  }
}

extension CommandError {
  /// The engine has not answered.
  static let engineIsAway = notAvailableNow(retry: .seconds(1))
}
