import Foundation
import Shared

/// Accounts, ratings and results in the archive. The names and password hashes of all accounts, and
/// all ratings, are kept in memory too: about 300 bytes for each account.
final class StoredDirectory {
  /// When to try again, if the disk is full or the archive cannot be used.
  static let retry: Duration = .seconds(5)

  /// Called with a match whose stored lines are damaged.
  var onDamage: (String) -> Void = { _ in }
  let archive: ArchiveQueue
  let passwords: PasswordQueue
  private let store: JournalStore
  let now: () -> Date
  private let timers: any Timers
  var accounts: [ExactText: Account] = [:]
  /// By the ids of accounts, and by game.
  var ratings: [Int: [String: Int]] = [:]

  init(
    _ archive: ArchiveQueue, accounts: [Account], ratings: [RatingChange],
    passwords: PasswordQueue, store: JournalStore, timers: any Timers, now: @escaping () -> Date
  ) {
    self.archive = archive
    self.passwords = passwords
    self.store = store
    self.timers = timers
    self.now = now
    for account in accounts { self.accounts[account.key] = account }
    apply(ratings)
    archive.onChange = { [unowned self] in apply($0) }
  }

  private func apply(_ changes: [RatingChange]) {
    for change in changes { ratings[change.account, default: [:]][change.game] = change.points }
  }

  /// Returns the reply to a command for which the archive has failed.
  static func refusal(_ error: any Error) -> CommandError {
    if let error = error as? DatabaseError, error.isFull {
      return CommandError(.full, "The disk of the server is full. Try again later.", retry: retry)
    }
    if error as? DatabaseError == .damaged { return .damagedMatch }
    return .notAvailableNow(retry: retry)
  }
}

// MARK: - Accounts

extension StoredDirectory: AccountStorage {
  var keepsAccounts: Bool { true }

  var hasRoom: Bool { store.hasRoom }

  subscript(key: ExactText) -> Account? {
    get { accounts[key] }
    set { accounts[key] = newValue }
  }

  func rating(of account: Account, in game: String) -> Int {
    ratings[account.id]?[game] ?? Rating().rounded
  }

  func withAccount(
    of name: PlayerName, orFail fail: @escaping (CommandError) -> Void,
    _ action: @escaping (Account?) throws(CommandError) -> Void
  ) throws(CommandError) {
    try action(accounts[name.key])
  }

  /// The name counts as registered from now on, so that nobody else takes it while the account is
  /// being written.
  func add(_ name: PlayerName, hash: String, answer: @escaping CommandAnswer<Void>) {
    accounts[name.key] = Account(
      id: 0, name: name.text, key: name.key, password: hash, isSettled: false)
    let time = now().milliseconds
    archive.change {
      try $0.archive.addAccount(name, password: hash, at: time)
    } then: { [weak self] result in
      switch result {
      case .success(let id):
        self?.accounts[name.key] = Account(id: id, name: name.text, key: name.key, password: hash)
        answer(.success(()))
      case .failure(let error):
        self?.accounts[name.key] = nil
        answer(.failure(Self.refusal(error)))
      }
    }
  }

  func change(_ account: Account, to hash: String, answer: @escaping CommandAnswer<Void>) {
    guard accounts[account.key]?.id == account.id else {
      return answer(.failure(.accountIsChanging))
    }
    archive.change {
      try $0.archive.setPassword(hash, of: account.id)
    } then: { [weak self] result in
      if case .success = result, self?.accounts[account.key]?.id == account.id {
        self?.accounts[account.key]?.password = hash
      }
      answer(result.mapError(Self.refusal))
    }
  }

  func remove(_ account: Account, answer: @escaping CommandAnswer<Void>) {
    accounts[account.key]?.isSettled = false
    archive.performAfterArchiving {
      try $0.archive.removeAccount(account.id)
    } then: { [weak self] result in
      switch result {
      case .success:
        self?.accounts[account.key] = nil
        self?.ratings[account.id] = nil
        answer(.success(()))
      case .failure(let error):
        self?.accounts[account.key]?.isSettled = true
        answer(.failure(Self.refusal(error)))
      }
    }
  }
}

// MARK: - Results

extension StoredDirectory {
  func history(
    of player: String?, before: Int?, for usage: AddressUsage,
    answer: @escaping CommandAnswer<HistoryPage>
  ) {
    let key = player.map(PlayerName.key(of:))
    // A text that is no name of anybody.
    if case .some(nil) = key { return answer(.success(HistoryPage([]))) }
    let now = now().milliseconds
    read(for: usage, answer: answer) {
      try $0.history(of: key ?? nil, before: before, now: now)
    }
  }

  func leaderboard(
    of game: String, for usage: AddressUsage, answer: @escaping CommandAnswer<Leaderboard>
  ) {
    read(for: usage, answer: answer) { try $0.leaderboard(of: game) }
  }

  func replay(
    of match: String, after seq: Int, for usage: AddressUsage,
    answer: @escaping CommandAnswer<StoredReplay>
  ) {
    read(for: usage) { [weak self] (result: Result<StoredReplay?, CommandError>) in
      if case .failure(let error) = result, error == .damagedMatch { self?.onDamage(match) }
      answer(
        result.flatMap { replay in
          replay.map { .success($0) } ?? .failure(.notFinished)
        })
    } _: {
      try $0.match(match).flatMap { StoredReplay($0, after: seq) }
    }
  }

  private func read<Value: Sendable>(
    for usage: AddressUsage, answer: @escaping CommandAnswer<Value>,
    _ work: @escaping @Sendable (Archive) throws -> Value
  ) {
    archive.perform { archiver in
      let clock = ContinuousClock()
      let begin = clock.now
      let value = try work(archiver.archive)
      return (value, begin.duration(to: clock.now))
    } then: { [timers] result in
      switch result {
      case .success(let (value, time)):
        usage.charge(time, at: timers.now)
        answer(.success(value))
      case .failure(let error): answer(.failure(Self.refusal(error)))
      }
    }
  }
}

extension StoredReplay {
  /// The maximum size of the lines in one reply: a client may leave that many bytes unread.
  private static let maxBytes = 262_144

  /// Takes the lines after one from those of a whole match; `nil` if they were removed.
  init?(_ match: MatchLines, after seq: Int) {
    guard let lines = match.lines else { return nil }
    header = match.header
    var (start, number) = (0, 0)
    while number < seq, start < lines.count {
      (start, number) = (lines.end(ofLineAt: start), number + 1)
    }
    var (end, last) = (start, number)
    while end < lines.count, last - number < ProtocolLimits.maxReplayEvents {
      let next = lines.end(ofLineAt: end)
      guard next - start <= Self.maxBytes || last == number else { break }
      (end, last) = (next, last + 1)
    }
    self.lines = Array(lines[start..<end])
    next = end < lines.count ? last : nil
  }
}

extension [UInt8] {
  /// The index after the next LF.
  fileprivate func end(ofLineAt start: Int) -> Int {
    self[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? count
  }
}

extension Date {
  /// In milliseconds since 1970.
  var milliseconds: Int { Int(timeIntervalSince1970 * 1_000) }
}
