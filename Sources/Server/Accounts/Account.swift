import Shared

/// A registered name.
struct Account: Equatable, Sendable {
  /// Never used again.
  let id: Int
  /// As it was registered.
  let name: String
  /// The key with which names are compared.
  let key: ExactText
  /// The password's hash, with its method and salt; see `PasswordUse`.
  var password: String
  /// False while the account is being added or removed. Its games do not count then.
  var isSettled = true
}

/// The rating of a player in a kind of game, and the rated games behind it.
struct RatingEntry: Equatable {
  var rating = Rating()
  var won = 0
  var lost = 0
  var drawn = 0

  mutating func add(_ rating: Rating, _ result: Rating.Result) {
    self.rating = rating
    switch result {
    case .won: won += 1
    case .lost: lost += 1
    case .drawn: drawn += 1
    }
  }
}

extension PerMark<RatingEntry> {
  /// Returns the ratings of the players after a game between them.
  func updated(winner: Mark?) -> PerMark<RatingEntry> {
    var entries = self
    let ratings = Rating.updated(map(\.rating), winner: winner)
    for mark in Mark.allCases {
      entries[mark].add(ratings[mark], Rating.Result(of: mark, winner: winner))
    }
    return entries
  }
}

/// A rating that has changed, as people see it.
struct RatingChange: Equatable, Sendable {
  let account: Int
  let game: String
  let points: Int
}
