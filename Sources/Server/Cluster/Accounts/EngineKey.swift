import Shared

/// The names under which the engine keeps accounts and results; see `EngineScript`.
enum EngineKey {
  /// The counters of the ids of accounts and of finished games.
  static let accounts = "accounts"
  static let games = "games"

  static let accountPrefix = "a:"

  static func account(_ key: ExactText) -> String { accountPrefix + key.text }

  static func leaderboard(_ game: String) -> String { "l:\(game)" }

  /// The finished games of a name, by its key; all of them without one.
  static func history(_ key: ExactText?) -> String { "h:\(key?.text ?? "")" }

  static func results(_ match: String) -> String { "g:\(match)" }

  static func stream(_ match: String) -> String { "j:\(match)" }

  /// The field of an account with its rating in a kind of game.
  static let ratingPrefix = "r:"

  static func rating(_ game: String) -> String { ratingPrefix + game }

  /// A player in a leaderboard. A name has no control characters.
  static func member(_ name: String, _ key: ExactText) -> String { "\(name)\n\(key.text)" }
}
