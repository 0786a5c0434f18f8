import Shared

/// A player's session: from `login` to its end, over one connection or several. The lobby holds it.
/// A session and its outlet hold each other until either ends; see docs/decisions.md.
final class Session {
  /// Where the player is.
  enum Place {
    case lobby
    case waiting(PendingRequest)
    case playing(any Match)
    case watching(any Match)

    /// The place on the wire.
    var listed: SessionPlace {
      switch self {
      case .lobby: .lobby
      case .waiting: .waiting
      case .playing: .playing
      case .watching: .watching
      }
    }

    /// Whether the session counts as a match of the player's address. A waiting player may get a
    /// match at any time.
    fileprivate var countsAsMatch: Bool {
      switch self {
      case .waiting, .playing: true
      case .lobby, .watching: false
      }
    }
  }

  /// The maximum number of open invitations for a player.
  static let maxInvitations = 20

  /// The number of characters of an `id` that is not empty: 99 random bits.
  static let idLength = 20

  /// The number of the login. No two sessions of this process have the same.
  let number: Int
  /// By which all servers know the session; empty where there are no others.
  let id: String
  let name: PlayerName
  /// The token for the next `resume`.
  var token: Token
  /// The token of the last `resume`.
  var spentToken: Token?
  // Here, all three take room that the token before leaves.
  /// Whether the session has log lines of its own.
  let isLogged: Bool
  /// Whether `Directory.forget` has to be called at the end.
  var hasLoadedAccount = false
  /// Whether the player has logged in with a password that works once.
  var hasNewPassword = false
  /// `nil` while the connection is lost.
  var outlet: ClientOutlet?
  var place = Place.lobby { didSet { countPlace(after: oldValue) } }
  /// When the player has logged in, or this process has taken the session up again.
  let begin: Duration
  /// The address of the last login or `resume`; `nil` before the first in this process.
  private(set) var address: IPAddress?
  /// The usage of the address of the last login or `resume`.
  private(set) var usage: AddressUsage
  /// The players who wait for this player by name, the longest wait first.
  var incomingRequests: [Session] = []
  /// The players that this player was paired with by chance.
  var recentPartners = RecentPartners()
  /// The players who have declined to play with this player.
  var declines = RecentDeclines()
  /// The position in `SessionRegistry`.
  var position = 0
  private var chatRate: TokenBucket?
  /// Allocated when first needed. Most sessions never need it.
  private var extras: Extras?

  private final class Extras {
    var storedTokens: [String] = []
    var earlyLeaves = EarlyLeaves()
  }

  /// `outlet` is `nil` if the match of the player goes on from a store. `chatRate` limits how
  /// often the player may chat; `nil` means no limit.
  init(
    number: Int, id: String = "", name: PlayerName, token: Token, outlet: ClientOutlet?,
    chatRate: TokenBucket?, begin: Duration
  ) {
    self.id = id
    self.begin = begin
    address = outlet?.peerAddress.ip
    self.number = number
    self.name = name
    self.token = token
    self.outlet = outlet
    usage = outlet?.usage ?? .ofNobody
    isLogged = outlet?.isLogged ?? true
    self.chatRate = chatRate
  }

  /// The hashes of the tokens that a process before has given out; none after the first `resume`.
  var storedTokens: [String] {
    get { extras?.storedTokens ?? [] }
    set { if extras != nil || !newValue.isEmpty { needExtras().storedTokens = newValue } }
  }

  var earlyLeaves: EarlyLeaves {
    get { extras?.earlyLeaves ?? EarlyLeaves() }
    set { needExtras().earlyLeaves = newValue }
  }

  private func needExtras() -> Extras {
    let extras = self.extras ?? Extras()
    self.extras = extras
    return extras
  }

  /// What its client sends to resume it. Its id comes first, by which any server finds the one that
  /// can judge the token.
  var tokenText: String { id + token.text }

  /// Returns the id and the token in a text that `tokenText` has returned; `nil` for any other.
  static func idAndToken(in text: String) -> (id: String, token: Token)? {
    let id = text.utf8.count == Token.length ? "" : text.prefix(idLength)
    guard let token = Token(String(text.dropFirst(id.count))) else { return nil }
    return (String(id), token)
  }

  /// Counts the session at the address of its new connection.
  func move(to outlet: ClientOutlet) {
    address = outlet.peerAddress.ip
    let usage = outlet.usage
    if place.countsAsMatch {
      self.usage.removeMatch()
      usage.addMatch()
    }
    self.usage = usage
  }

  private func countPlace(after old: Place) {
    guard place.countsAsMatch != old.countsAsMatch else { return }
    if place.countsAsMatch { usage.addMatch() } else { usage.removeMatch() }
  }

  /// The request of a waiting player; `nil` if the player does not wait.
  var request: PendingRequest? {
    guard case .waiting(let request) = place else { return nil }
    return request
  }

  /// An invitation that stands.
  struct Invitation {
    let from: Session
    let request: PendingRequest
  }

  /// Returns the invitation of the player with a name.
  func invitation(from key: ExactText) -> Invitation? {
    incomingRequests.first { $0.name.key == key }.flatMap { from in
      from.request.map { Invitation(from: from, request: $0) }
    }
  }

  /// The player as an item of a list, with the rating of a registered player.
  func summary(_ directory: any Directory) -> PlayerSummary {
    let game: String? =
      switch place {
      case .lobby: nil
      case .waiting(let request): request.game.info.id
      case .playing(let match), .watching(let match): match.game
      }
    let rating = directory.account(of: name).map {
      directory.rating(of: $0, in: game ?? Command.defaultGame)
    }
    return PlayerSummary(name: name.text, place: place.listed, game: game, rating: rating)
  }

  /// Whether a current or spent token of the session may resume it. A spent token may do so while
  /// the connection is lost: the client may never have received the newer token.
  func canResume(with token: Token) -> Bool { token == self.token || outlet == nil }

  /// Checks that the player may get one more invitation. The client shows all invitations, and gets
  /// them again after each `resume`.
  ///
  /// - Throws: `tooFast` if there are `maxInvitations` already.
  func checkRoomForInvitation() throws(CommandError) {
    guard incomingRequests.count >= Self.maxInvitations else { return }
    throw CommandError(
      .tooFast, field: "opponent",
      "\(name.text) has too many invitations already. To play with anyone, type: start")
  }

  /// Checks that the opponent has not declined a moment ago.
  ///
  /// - Throws: `tooFast`.
  func checkDeclines(by opponent: Session, at now: Duration) throws(CommandError) {
    guard let wait = declines.timeLeft(for: opponent.number, at: now) else { return }
    throw CommandError(
      .tooFast, field: "opponent",
      "\(opponent.name.text) has just declined. Try again in a moment.",
      retry: wait)
  }

  /// Checks that the client has read earlier output. Otherwise an invitation that is sent and
  /// cancelled again and again would fill its buffers until it is disconnected.
  ///
  /// - Throws: `tooFast` if more than `maxUnsent` bytes are unsent.
  func checkUnsent(
    upTo maxUnsent: Int = ClientOutlet.softLimit, field: String? = nil
  ) throws(CommandError) {
    guard outlet?.isBehind(maxUnsent) == true else { return }
    throw CommandError(
      .tooFast, field: field,
      "\(name.text) has not read earlier messages yet. Try again in a moment.", retry: .seconds(1))
  }

  /// Counts one chat message.
  ///
  /// - Throws: `tooFast` if there were too many.
  func checkChatRate(at now: Duration) throws(CommandError) {
    try chatRate?.take(at: now, orThrow: "You are chatting too fast. Try again in a moment.")
  }

  func write(_ event: Event) {
    outlet?.write(event)
  }

  /// Writes this session's copy of a line that everyone in a match gets. `you` is the player's
  /// mark, for the beginning of a game.
  func write(line: Span<UInt8>, you: Mark?) {
    outlet?.write(line: line, you: you)
  }
}
