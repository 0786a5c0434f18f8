import Shared

/// The place of a player in a finished game. Its `rawValue` goes up with the ids of the games.
struct GameLink: Equatable {
  let game: Int
  let mark: Mark

  /// 0 if there is no game, because ids begin with 1.
  static let none = 0

  var rawValue: Int { 2 * game + (mark == .x ? 0 : 1) }

  init(game: Int, mark: Mark) {
    self.game = game
    self.mark = mark
  }

  /// `nil` for `none`.
  init?(rawValue: Int) {
    guard rawValue != Self.none else { return nil }
    self.init(game: rawValue / 2, mark: rawValue.isMultiple(of: 2) ? .x : .o)
  }
}

/// The finished games of a player. Each has the link of the one before, so the archive needs no
/// index of the games by their players, which is slow to keep up: it is written all over.
final class PlayerChain {
  /// How many games of a player come to each milestone, which is a link by which a game in the
  /// middle of a chain is found.
  static let milestone = 64

  /// The link of the last game.
  private(set) var latest = GameLink.none
  fileprivate var games = 0
  /// The links of the milestones that are not written yet.
  fileprivate var milestones: [Int] = []

  func append(_ link: GameLink) {
    latest = link.rawValue
    games += 1
    if games.isMultiple(of: Self.milestone) { milestones.append(latest) }
  }

  fileprivate func read(_ row: Statement.Row) { (latest, games) = (row.integer(0), row.integer(1)) }
}

/// The chains of the players with a new game in this transaction. Each is read and written once,
/// unless there are many.
final class PlayerChains {
  /// How many chains wait in memory to be written.
  static let maxWaiting = 1_024

  private let select: Statement
  private let replace: Statement
  private let insertMilestone: Statement
  private let selectMilestone: Statement
  private var chains: [String: PlayerChain] = [:]

  init(_ database: Database) throws(DatabaseError) {
    select = try database.statement("SELECT latest, games FROM players WHERE key = ?")
    replace = try database.statement("INSERT OR REPLACE INTO players VALUES (?, ?, ?)")
    insertMilestone = try database.statement("INSERT INTO milestones VALUES (?, ?)")
    selectMilestone = try database.statement(
      "SELECT min(link) FROM milestones WHERE key = ? AND link >= 2 * ?")
  }

  /// Returns the chain of a player, by the key of the name. It is empty for a new one.
  func chain(of key: String) throws(DatabaseError) -> PlayerChain {
    if let chain = chains[key] { return chain }
    let chain = PlayerChain()
    try select.run(.text(key)) { chain.read($0) }
    chains[key] = chain
    return chain
  }

  /// Writes the chains if there are many. Those that `chain` has returned must not change any more.
  func writeIfMany() throws(DatabaseError) {
    if chains.count >= Self.maxWaiting { try write() }
  }

  func write() throws(DatabaseError) {
    for (key, chain) in chains {
      try replace.run(.text(key), .integer(chain.latest), .integer(chain.games))
      for link in chain.milestones { try insertMilestone.run(.text(key), .integer(link)) }
    }
    forget()
  }

  func forget() { chains.removeAll(keepingCapacity: true) }

  /// Returns a link of a player's game that is not far after the last one before `game`; `nil` if
  /// there are no games.
  func link(of key: String, before game: Int?) throws(DatabaseError) -> GameLink? {
    var link = GameLink.none
    if let game {
      try selectMilestone.run(.text(key), .integer(game)) { link = $0.integer(0) }
    }
    if link == GameLink.none { try select.run(.text(key)) { link = $0.integer(0) } }
    return GameLink(rawValue: link)
  }
}

extension Archive {
  /// Returns the latest games: those of a player, if there is a `key`, and those with an id below
  /// `before`.
  func history(
    of key: ExactText?, before: Int?, now: Int
  ) throws(DatabaseError) -> HistoryPage {
    // One more, to know whether there are older games.
    let limit = ProtocolLimits.maxHistoryItems + 1
    var items: [HistoryItem] = []
    if let key {
      var next = try chains.link(of: key.text, before: before)
      while let link = next, items.count < limit {
        next = nil
        try selectGame.run(.integer(link.game)) { row in
          if link.game < before ?? .max { items.append(Self.item(row, now: now)) }
          next = GameLink(rawValue: row.integer(link.mark == .x ? 9 : 10))
        }
        // In a damaged archive the links might go round in circles.
        guard next?.game ?? 0 < link.game else { break }
      }
    } else {
      try selectHistory.run(.integer(before ?? .max), .integer(limit)) {
        items.append(Self.item($0, now: now))
      }
    }
    let page = Array(items.prefix(ProtocolLimits.maxHistoryItems))
    return HistoryPage(page, next: items.count > page.count ? page.last?.id : nil)
  }

  private static func item(_ row: Statement.Row, now: Int) -> HistoryItem {
    HistoryItem(
      id: row.integer(0), match: row.text(1), game: row.text(2),
      players: PerMark(x: row.text(3), o: row.text(4)), outcome: outcome(row, 5),
      moves: row.integer(7), ago: .milliseconds(max(0, now - row.integer(8))))
  }

  /// Reads a winner and a reason.
  static func outcome(_ row: Statement.Row, _ column: Int) -> Outcome {
    let winner = row.textIfPresent(column).map { $0 == Mark.x.letter ? Mark.x : .o }
    return Outcome(
      winner: winner, reason: Outcome.Reason(rawValue: row.text(column + 1)) ?? .full)
  }
}
