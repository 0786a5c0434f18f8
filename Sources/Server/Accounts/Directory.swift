import Shared

/// Accounts, ratings and results: everything about players that outlives their sessions and
/// matches. Each answer comes on the thread of the loop, at once or later. Until then the
/// connection that asked waits, and no other does.
///
/// A server that keeps nothing has a `GuestDirectory`, one with a data folder a `StoredDirectory`,
/// and one of several nodes a `ClusterDirectory`.
protocol Directory: AccountAdministration {
  /// Whether there can be accounts and results. If not, only `account(of:)` may be called.
  var keepsAccounts: Bool { get }
  /// Whether there is room for one more account.
  var hasRoom: Bool { get }

  /// Makes the account of a name known to `account(of:)`, before a session has the name. The answer
  /// is the reason why it cannot. Each call that has not failed is followed by one of `forget`.
  func load(_ name: PlayerName, answer: @escaping (CommandError?) -> Void)
  /// A session for which an account was loaded has ended.
  func forget(_ name: PlayerName)

  /// Returns the account of a name; `nil` for the name of a guest.
  func account(of name: PlayerName) -> Account?
  /// Returns the rating of an account for people.
  func rating(of account: Account, in game: String) -> Int

  /// Checks the password of a log-in. It takes the same time if the name is not registered.
  ///
  /// - Throws: `tooFast` if there were too many wrong passwords for the name from the address, or
  ///   there are too many checks at once.
  func checkPassword(
    _ password: String, of name: PlayerName, from usage: AddressUsage,
    answer: @escaping (PasswordCheck) -> Void
  ) throws(CommandError)
  /// Registers a name or, if it is registered, changes its password. `isCurrent` says whether the
  /// session that asked is still there.
  ///
  /// - Throws: `badName` if the name cannot be registered; `wrongPassword` if `old` is missing;
  ///   `tooFast`.
  func register(
    _ name: PlayerName, password: String, old: String?, from usage: AddressUsage,
    isCurrent: @escaping () -> Bool, answer: @escaping CommandAnswer<Void>
  ) throws(CommandError)
  /// Deletes an account. `willRemove` is called when the password was right.
  ///
  /// - Throws: `wrongPassword` if the name is not registered; `tooFast`.
  func unregister(
    _ name: PlayerName, password: String, from usage: AddressUsage,
    isCurrent: @escaping () -> Bool, willRemove: @escaping () -> Void,
    answer: @escaping CommandAnswer<Void>
  ) throws(CommandError)

  /// Returns finished games; all of them without a `player`. Here and below, the time that it takes
  /// counts for the client's address.
  func history(
    of player: String?, before: Int?, for usage: AddressUsage,
    answer: @escaping CommandAnswer<HistoryPage>)
  func leaderboard(
    of game: String, for usage: AddressUsage, answer: @escaping CommandAnswer<Leaderboard>)
  /// Returns the events of a finished match after one.
  func replay(
    of match: String, after seq: Int, for usage: AddressUsage,
    answer: @escaping CommandAnswer<StoredReplay>
  )
}

extension Directory {
  /// All accounts are known.
  func load(_ name: PlayerName, answer: @escaping (CommandError?) -> Void) { answer(nil) }

  func forget(_ name: PlayerName) {}
}

/// The result of a password check: the account whose password was right, as it was then; `nil` if
/// it was wrong, or the name was not registered.
struct PasswordCheck {
  let account: Account?
  /// Why nothing could be checked; `nil` if it was.
  var refusal: CommandError?
}

/// Some of the events of a finished match, as its spectators got them.
struct StoredReplay: Equatable, Sendable {
  let header: ReplayHeader
  /// Whole lines, each with its LF.
  let lines: [UInt8]
  /// The `seq` to go on from; `nil` after the last event.
  let next: Int?
}

/// The directory of a server that keeps nothing: all players are guests. Tests inherit from it.
class GuestDirectory: Directory {
  var keepsAccounts: Bool { false }
  var hasRoom: Bool { false }

  func account(of name: PlayerName) -> Account? { nil }
  func rating(of account: Account, in game: String) -> Int { Rating().rounded }

  func checkPassword(
    _ password: String, of name: PlayerName, from usage: AddressUsage,
    answer: @escaping (PasswordCheck) -> Void
  ) throws(CommandError) {
    answer(PasswordCheck(account: nil))
  }

  func register(
    _ name: PlayerName, password: String, old: String?, from usage: AddressUsage,
    isCurrent: @escaping () -> Bool, answer: @escaping CommandAnswer<Void>
  ) throws(CommandError) {
    throw CommandError(.unavailable)
  }

  func unregister(
    _ name: PlayerName, password: String, from usage: AddressUsage,
    isCurrent: @escaping () -> Bool, willRemove: @escaping () -> Void,
    answer: @escaping CommandAnswer<Void>
  ) throws(CommandError) {
    throw CommandError(.unavailable)
  }

  func history(
    of player: String?, before: Int?, for usage: AddressUsage,
    answer: @escaping CommandAnswer<HistoryPage>
  ) {
    answer(.failure(CommandError(.unavailable)))
  }

  func leaderboard(
    of game: String, for usage: AddressUsage, answer: @escaping CommandAnswer<Leaderboard>
  ) {
    answer(.failure(CommandError(.unavailable)))
  }

  func replay(
    of match: String, after seq: Int, for usage: AddressUsage,
    answer: @escaping CommandAnswer<StoredReplay>
  ) {
    answer(.failure(CommandError(.unavailable)))
  }
}
