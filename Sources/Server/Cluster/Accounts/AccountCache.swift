import Shared

/// The accounts of the names that are in use at this node, with their ratings.
final class AccountCache {
  struct Entry {
    var account: Account
    /// When it was registered, in milliseconds since 1970; `nil` for an account of an older server.
    var created: Int?
    /// By kind of game.
    var ratings: [String: RatingEntry] = [:]
  }

  private struct Name {
    /// How many have said that they use it.
    var uses = 0
    var entry: Entry?
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
  subscript(key: ExactText) -> Entry? {
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

extension AccountCache.Entry {
  /// Reads the names and values in the hash of an account; `nil` if some are missing.
  init?(_ words: [RedisReply], key: ExactText) {
    var fields: [String: String] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      if let name = words[index].text { fields[name] = words[index + 1].text }
    }
    guard let id = fields["id"].flatMap({ Int($0) }), let name = fields["name"],
      let password = fields["password"]
    else { return nil }
    account = Account(id: id, name: name, key: key, password: password)
    created = fields["created"].flatMap { Int($0) }
    for (name, text) in fields where name.hasPrefix(RedisKey.ratingPrefix) {
      ratings[String(name.dropFirst(RedisKey.ratingPrefix.count))] = RatingEntry(text)
    }
  }
}
