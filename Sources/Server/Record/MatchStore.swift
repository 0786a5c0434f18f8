import Shared

/// Keeps matches, so that they go on after the server's process has died. What a match appends is
/// stored before anybody is told; see `OutputGate`. A server without a store has none of these.
///
/// Marks are those of the match's first game: they stay with the players when these swap marks.
protocol MatchStore: AnyObject {
  /// Whether there is room for one more game and for chat, besides the games that run now.
  var hasRoom: Bool { get }
  /// Returns an id that no match has had, not even before a restart.
  func newMatchID() -> String
  /// A match begins; its first event follows. A player who is `nil` is the bot.
  func begin(_ match: String, game: String, players: PerMark<StoredPlayer?>)
  /// Appends an event: the line of a spectator, with its LF.
  func append(_ line: Span<UInt8>, to match: String, seq: Int)
  /// A player has got a new token.
  func setTokens(of player: StoredPlayer, _ mark: Mark, in match: String)
  /// A player has asked for the next game, or does not ask any more. The beginning of a game
  /// removes both requests.
  func setRematch(_ isAsked: Bool, by mark: Mark, in match: String)
  /// A match of a kind of game has ended; `matchDidEnd` was its last event.
  func end(_ match: String, game: String)
  /// The next event begins a rated game of these accounts, by its marks; `nil` if the game that
  /// runs is not rated any more.
  func setAccounts(_ accounts: PerMark<Int>?, in match: String)
}

/// A store that keeps what happens as records.
protocol RecordStore: MatchStore {
  var encoder: RecordEncoder { get }
  func append(_ kind: RecordKind, _ payload: Span<UInt8>, to match: String)
}

extension RecordStore {
  func append(_ kind: RecordKind, _ record: some Encodable, to match: String) {
    append(kind, encoder.payload(record).span, to: match)
  }

  func append(_ line: Span<UInt8>, to match: String, seq: Int) {
    // The record ends with the LF of the line.
    append(.event, line.extracting(droppingLast: 1), to: match)
  }

  func setTokens(of player: StoredPlayer, _ mark: Mark, in match: String) {
    let record = TokenRecord(
      match: match, mark: StoredMark(mark), token: player.token, spent: player.spent)
    append(.token, record, to: match)
  }

  func setRematch(_ isAsked: Bool, by mark: Mark, in match: String) {
    RecordEncoder.withRematch(isAsked, by: mark, in: match) { append(.rematch, $0, to: match) }
  }

  func setAccounts(_ accounts: PerMark<Int>?, in match: String) {
    append(.accounts, AccountsRecord(match: match, accounts), to: match)
  }
}

/// A player of a match, as it is stored. The tokens are hashed, so that whoever reads the files
/// cannot take over a session.
struct StoredPlayer: Codable, Equatable {
  /// The id of the session in a cluster; `nil` outside of one.
  var id: String?
  let name: String
  /// The hash of the current token.
  var token: String
  /// The hash of the token before.
  var spent: String?

  /// The hashes of the tokens that are good.
  var tokens: [String] { [token] + (spent.map { [$0] } ?? []) }
}

/// The payload of a record `b`.
struct BeginningRecord: Codable {
  let match: String
  let game: String
  // The fields have the names of the marks on the wire; an absent player is the bot.
  let X: StoredPlayer?
  let O: StoredPlayer?

  /// By the marks of the first game.
  var players: PerMark<StoredPlayer?> { PerMark(x: X, o: O) }
  var names: PerMark<String> { players.map { $0?.name ?? Player.botName } }
}

/// The payload of a record `t`.
struct TokenRecord: Codable {
  let match: String
  let mark: StoredMark
  let token: String
  let spent: String?
}

/// The payload of a record `a`.
struct AccountsRecord: Codable {
  let match: String
  /// Both are there, or none is.
  let X: Int?
  let O: Int?

  init(match: String, _ accounts: PerMark<Int>?) {
    self.match = match
    X = accounts?.x
    O = accounts?.o
  }

  var accounts: PerMark<Int>? {
    guard let X, let O else { return nil }
    return PerMark(x: X, o: O)
  }
}

/// The payload of a record `q`.
struct RematchRecord: Decodable {
  let match: String
  let mark: StoredMark
  let asked: Bool
}

/// A mark as on the wire.
enum StoredMark: String, Codable {
  case X, O

  init(_ mark: Mark) { self = mark == .x ? .X : .O }

  var mark: Mark { self == .X ? .x : .o }
}

extension Token {
  /// The SHA-256 of the token's text.
  var hash: String { SHA256.digits(of: text) }
}
