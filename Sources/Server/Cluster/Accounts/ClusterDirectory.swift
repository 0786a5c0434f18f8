import Foundation
import Shared

/// Accounts, ratings and results that several nodes have in common, in the engine. The accounts of
/// the names that are in use at this node are in memory too. A command that the engine has not
/// answered is refused as `unavailable`. It may have been carried out even so.
final class ClusterDirectory {
  /// The delay before an account is read again, if the engine has not answered.
  static let retryDelay: Duration = .seconds(1)

  let accounts: RedisAccounts
  let passwords: PasswordQueue
  private let timers: any Timers
  let cache = AccountCache()
  let archives: ArchiveInquiry
  private let reader: ResultReader
  let writer: ResultWriter
  let now: () -> Date

  init(
    engine: any Redis, passwords: PasswordQueue, timers: any Timers, games: GameRegistry,
    now: @escaping () -> Date
  ) {
    self.passwords = passwords
    self.timers = timers
    self.now = now
    accounts = RedisAccounts(engine: engine, games: games)
    archives = ArchiveInquiry(engine: engine, timers: timers)
    reader = ResultReader(engine: engine, archives: archives, timers: timers, now: now)
    writer = ResultWriter(engine: engine, cache: cache, timers: timers, now: now)
    writer.onDoubt = { [unowned self] in reload($0) }
  }

  /// Reads the account of a name that will be used here, and answers when `account(of:)` and
  /// `rating(of:in:)` know it, or with the reason why not. Each call that has not failed must be
  /// followed by one of `forget`, when the log-in has failed or the session has ended.
  func load(_ name: PlayerName, answer: @escaping (CommandError?) -> Void) {
    cache.use(name.key)
    read(name.key) { [weak self] result in
      switch result {
      case .success: answer(nil)
      case .failure(let error):
        self?.forget(name)
        answer(error)
      }
    }
  }

  /// The name is no longer used by one of those for whom it was loaded. After the last of them its
  /// account is dropped from memory.
  func forget(_ name: PlayerName) { cache.release(name.key) }

  /// Reads the account of a name, `nil` for that of a guest, and keeps it if the name is in use.
  private func read(_ key: ExactText, answer: @escaping CommandAnswer<Account?>) {
    accounts.read(key) { [weak self] result in
      // While an account is added or removed, the reply to that is newer.
      if let cache = self?.cache, case .success(let entry) = result,
        cache[key]?.account.isSettled != false
      {
        cache[key] = entry
      }
      answer(result.map { $0?.account })
    }
  }

  /// Reads an account again, because the one in memory may be old.
  private func reload(_ key: ExactText) {
    guard cache.isUsed(key) else { return }
    read(key) { [weak self] result in
      guard let self, case .failure = result else { return }
      timers.schedule(after: Self.retryDelay) { [weak self] in self?.reload(key) }
    }
  }

  /// Takes up records of a match of this node that are stored for good: those of the next entry, or
  /// all of them again from the first. It writes the results of the games that have ended.
  func didStore(_ records: [UInt8], of match: String) { writer.didStore(records, of: match) }

  /// Whether results of a match may still have to be written.
  func follows(_ match: String) -> Bool { writer.follows(match) }

  /// A match has ended, or this node is no longer its owner. `then` is called when all its results
  /// are in the engine. Its stream must stay until then, so that another node can write them if
  /// this one dies.
  func matchDidEnd(_ match: String, then: @escaping () -> Void = {}) {
    writer.matchDidEnd(match, then: then)
  }
}

// MARK: - Accounts

extension ClusterDirectory: AccountStorage {
  var keepsAccounts: Bool { true }

  var hasRoom: Bool { true }

  subscript(key: ExactText) -> Account? {
    get { cache[key]?.account }
    set { if let newValue { cache[key]?.account = newValue } else { cache[key] = nil } }
  }

  func rating(of account: Account, in game: String) -> Int {
    (cache.rating(of: account.id, account.key, in: game)?.rating ?? Rating()).rounded
  }

  func withAccount(
    of name: PlayerName, orFail fail: @escaping (CommandError) -> Void,
    _ action: @escaping (Account?) throws(CommandError) -> Void
  ) throws(CommandError) {
    read(name.key) { result in
      do throws(CommandError) {
        try action(try result.get())
      } catch {
        fail(error)
      }
    }
  }

  /// The name counts as registered from now on, as in `StoredDirectory`.
  func add(_ name: PlayerName, hash: String, answer: @escaping CommandAnswer<Void>) {
    let key = name.key
    cache[key] = RedisAccount(
      account: Account(id: 0, name: name.text, key: key, password: hash, isSettled: false))
    accounts.add(name, hash, at: now().milliseconds) { [weak self] id in
      guard let self else { return }
      cache[key] = nil
      guard let id, id > 0 else {
        reload(key)
        return answer(.failure(id == nil ? .engineIsAway : .oldIsMissing))
      }
      cache[key] = RedisAccount(
        account: Account(id: id, name: name.text, key: key, password: hash))
      answer(.success(()))
    }
  }

  func change(_ account: Account, to hash: String, answer: @escaping CommandAnswer<Void>) {
    accounts.changePassword(of: account, to: hash) { [weak self] changed in
      // Only another change of it can be the reason for 0.
      if changed == 1 {
        self?.cache[account.key]?.account.password = hash
        answer(.success(()))
      } else {
        self?.reload(account.key)
        answer(
          .failure(
            changed == nil ? .engineIsAway : CommandError(.wrongPassword, field: "old")))
      }
    }
  }

  func remove(_ account: Account, answer: @escaping CommandAnswer<Void>) {
    cache[account.key]?.account.isSettled = false
    writer.afterResults(of: account.id) { [weak self] areWritten in
      guard let self else { return }
      guard areWritten else { return keep(account, answer: answer) }
      accounts.remove(account) { [weak self] removed in
        // 0: an attempt that got no answer has removed it.
        guard removed != nil else { self?.keep(account, answer: answer); return }
        self?.cache[account.key] = nil
        answer(.success(()))
      }
    }
  }

  /// Refuses a removal of which the engine may know nothing.
  private func keep(_ account: Account, answer: CommandAnswer<Void>) {
    cache[account.key]?.account.isSettled = true
    reload(account.key)
    answer(.failure(.engineIsAway))
  }
}

// MARK: - Results

extension ClusterDirectory {
  func history(
    of player: String?, before: Int?, for usage: AddressUsage,
    answer: @escaping CommandAnswer<HistoryPage>
  ) {
    let key = player.map(PlayerName.key(of:))
    // A text that is no name of anybody.
    if case .some(let found) = key, found?.text.isEmpty != false {
      return answer(.success(HistoryPage([])))
    }
    reader.history(of: key ?? nil, before: before, for: usage, answer: answer)
  }

  func leaderboard(
    of game: String, for usage: AddressUsage, answer: @escaping CommandAnswer<Leaderboard>
  ) {
    reader.leaderboard(of: game, for: usage, answer: answer)
  }

  func replay(
    of match: String, after seq: Int, for usage: AddressUsage,
    answer: @escaping CommandAnswer<StoredReplay>
  ) {
    reader.replay(of: match, after: seq, for: usage, answer: answer)
  }
}
