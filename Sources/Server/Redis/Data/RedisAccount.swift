import Shared

/// An account as the engine has it, with its ratings.
struct RedisAccount {
  var account: Account
  /// When it was registered, in milliseconds since 1970; `nil` for an account of an older server.
  var created: Int?
  /// By kind of game.
  var ratings: [String: RatingEntry] = [:]
}

extension RedisAccount {
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
