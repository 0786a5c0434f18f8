import Shared

/// What the operator asks of a `Directory`. Each answer comes on the thread of the loop, at once or
/// later.
protocol AccountAdministration: AnyObject {
  /// Lists the accounts whose names match, in the order of their keys.
  func accounts(like pattern: NamePattern, limit: Int, answer: @escaping CommandAnswer<AccountPage>)
  /// Reads what is stored of an account.
  func details(of name: PlayerName, answer: @escaping CommandAnswer<AccountDetails>)
  /// Sets a password that works once.
  func setOneTimePassword(
    _ password: String, of name: PlayerName, answer: @escaping CommandAnswer<Void>)
  /// Somebody who has logged in with a password that works once has quit: it is spent. A player who
  /// loses the connection, or whose server dies, comes back with it.
  func spendPassword(of account: Account)
  /// Deletes the account of a name, if there is one, and puts `Erasure.someone` into finished games
  /// and matches instead of the name. Nobody is logged in with the name.
  func erase(_ name: PlayerName, answer: @escaping CommandAnswer<Erasure>)
  /// Gives the free pages of the archive back to the disk.
  func compact(answer: @escaping CommandAnswer<Compaction>)
}

/// Some of the accounts of a server.
struct AccountPage: Equatable, Sendable {
  struct Item: Equatable, Sendable {
    let name: String
    /// How long it has been registered; `nil` if that is not known.
    let age: Duration?
    let passwordUse: PasswordUse
  }

  let items: [Item]
  /// How many others match.
  let more: Int
}

/// What is stored of an account.
struct AccountDetails: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    let game: String
    let entry: RatingEntry
  }

  let item: AccountPage.Item
  /// In the order of the games' names.
  let ratings: [Entry]
  /// How many finished games there are of the name, and how long ago the last one ended.
  let games: Int
  let sinceLastGame: Duration?
}

/// What was stored of a person, and is not any more.
struct Erasure: Equatable, Sendable {
  /// Instead of a name in finished games and matches.
  static let someone = "someone"
  /// The same, where the opponent is called that already.
  static let someoneElse = "someone else"
  /// Instead of the remarks of the person.
  static let noRemark = "…"

  var hasAccount = false
  var games = 0
  var matches = 0

  /// Returns what stands instead of a name beside another one.
  static func replacement(beside other: String) -> String {
    PlayerName.key(of: other)?.text == someone ? someoneElse : someone
  }
}

/// The size of the archive in bytes.
struct Compaction: Equatable, Sendable {
  let before: Int
  let after: Int
}

extension AccountAdministration {
  func accounts(
    like pattern: NamePattern, limit: Int, answer: @escaping CommandAnswer<AccountPage>
  ) { answer(.failure(.keepsNothing)) }

  func details(
    of name: PlayerName, answer: @escaping CommandAnswer<AccountDetails>
  ) { answer(.failure(.keepsNothing)) }

  func setOneTimePassword(
    _ password: String, of name: PlayerName, answer: @escaping CommandAnswer<Void>
  ) { answer(.failure(.keepsNothing)) }

  func spendPassword(of account: Account) {}

  func erase(_ name: PlayerName, answer: @escaping CommandAnswer<Erasure>) {
    answer(.failure(.keepsNothing))
  }

  func compact(answer: @escaping CommandAnswer<Compaction>) {
    answer(.failure(.keepsNothing))
  }
}

extension CommandError {
  fileprivate static let keepsNothing = CommandError(
    .unavailable, "This server keeps nothing: it has no accounts and no archive.")
  /// An account is being added or removed.
  static let accountIsChanging = CommandError(
    .unavailable, "This account is just being changed. Try again in a moment.",
    retry: .seconds(1))

  static func noAccount(of name: String) -> CommandError {
    CommandError(
      .unknownPlayer, field: "name",
      "There is no account called \(name). To see all accounts, type: accounts")
  }
}
