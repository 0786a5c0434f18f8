import Shared

/// The names under which the engine keeps accounts, results and what the tools need; see
/// `RedisScript`.
enum RedisKey {
  /// The counters of the ids of accounts and of finished games.
  static let accounts = "accounts"
  static let games = "games"
  /// How many lives the nodes have had.
  static let lives = "incarnations"
  /// What the operator has decided, and how often.
  static let decisions = "operator"
  static let decisionsVersion = "operatorVersion"
  /// When the tools have last made an archive and a backup, in milliseconds since 1970.
  static let lastArchive = "lastArchive"
  static let lastBackup = "lastBackup"
  /// What a follower has said last, and the matches that wait for it; see `RedisScript.follow`.
  static let follower = "list:/follower"
  static let finished = "list:/finished"
  /// Where followers answer, each with the time of its last word.
  static let archives = "list:/archives"
  /// It is there while a backup is put into the engine.
  static let restoring = "restoring"

  static let accountPrefix = "a:"

  static func account(_ key: ExactText) -> String { accountPrefix + key.text }

  static func leaderboard(_ game: String) -> String { "l:\(game)" }

  /// The finished games of a name, by its key; all of them without one.
  static func history(_ key: ExactText?) -> String { "h:\(key?.text ?? "")" }

  /// How many finished games these lists have.
  static let maxGames = 10_000
  static let maxGamesPerPlayer = 1_000

  static func results(_ match: String) -> String { "g:\(match)" }

  /// The replies of nodes to a question of an operator.
  static func replies(_ question: String) -> String { "q:\(question)" }

  static func stream(_ match: String) -> String { "j:\(match)" }

  /// The field of an account with its rating in a kind of game.
  static let ratingPrefix = "r:"

  static func rating(_ game: String) -> String { ratingPrefix + game }

  /// A player in a leaderboard. A name has no control characters.
  static func member(_ name: String, _ key: ExactText) -> String { "\(name)\n\(key.text)" }
}

extension RedisScript {
  /// How long the stream of a match is kept after its end, for `replay` and for
  /// `tictactoe-server archive`.
  static let finishedStreamTime: Duration = .seconds(86_400)
}
