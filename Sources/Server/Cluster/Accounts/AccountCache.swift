import Shared

/// The accounts of the names that are in use at this node, with their ratings.
final class AccountCache {
  private struct Name {
    /// How many have said that they use it.
    var uses = 0
    var entry: RedisAccount?
  }

  private var names: [ExactText: Name] = [:]

  func use(_ key: ExactText) { names[key, default: Name()].uses += 1 }

  func release(_ key: ExactText) {
    guard let uses = names[key]?.uses else { return }
    if uses == 1 { names[key] = nil } else { names[key]?.uses -= 1 }
  }

  func isUsed(_ key: ExactText) -> Bool { names[key] != nil }

  /// By the keys of names; `nil` for a name that is not registered, or not in use. Nothing is kept
  /// of a name that is not in use.
  subscript(key: ExactText) -> RedisAccount? {
    get { names[key]?.entry }
    set { names[key]?.entry = newValue }
  }

  /// The rating of an account; `nil` if the account is not here, or has no rated game.
  func rating(of account: Int, _ key: ExactText, in game: String) -> RatingEntry? {
    guard let entry = self[key], entry.account.id == account else { return nil }
    return entry.ratings[game]
  }

  /// Takes up a rating that the engine has now.
  func set(_ rating: RatingEntry, of account: Int, _ key: ExactText, in game: String) {
    guard self[key]?.account.id == account else { return }
    self[key]?.ratings[game] = rating
  }
}
