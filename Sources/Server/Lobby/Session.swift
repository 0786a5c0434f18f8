import Shared

/// A person who is logged in: a name and a place. The lobby holds it; it and its connection hold one
/// another until either ends, for neither is the other.
final class Session {
  /// Where the person is.
  enum Place {
    case lobby
    case waiting(PendingRequest)
    case playing(any Match)
    case watching(any Match)

    /// Whether it counts as a match of its address. A player who waits gets one at any time.
    fileprivate var counts: Bool {
      switch self {
      case .waiting, .playing: true
      case .lobby, .watching: false
      }
    }
  }

  /// Most invitations that stand for a player.
  static let maxInvitations = 20

  /// Counts the logins of this server; no two sessions have the same number.
  let number: Int
  let name: PlayerName
  /// What the session is taken up again with next.
  var token: Token
  /// What it was last taken up with.
  var spentToken: Token?
  /// `nil` while it is lost.
  var connection: ClientConnection?
  var place = Place.lobby { didSet { countPlace(after: oldValue) } }
  /// What the address holds from which the session was last taken up.
  private(set) var usage: AddressUsage
  /// Whether the log tells of it by itself.
  let isLogged: Bool
  /// Who waits for this player by name, the longest wait first.
  var incomingRequests: [Session] = []
  /// With whom this player was paired by chance.
  var recentPartners = RecentPartners()
  var earlyLeaves = EarlyLeaves()
  /// The place in the lobby's list.
  var position = 0
  private var chatRate: TokenBucket?

  /// `chatRate` is how often the person may say something; `nil`: as often as it likes.
  init(
    number: Int, name: PlayerName, token: Token, connection: ClientConnection,
    chatRate: TokenBucket?
  ) {
    self.number = number
    self.name = name
    self.token = token
    self.connection = connection
    usage = connection.usage
    isLogged = connection.isLogged
    self.chatRate = chatRate
  }

  /// To be called when the session has a new connection.
  func move(to usage: AddressUsage) {
    if place.counts {
      self.usage.removeMatch()
      usage.addMatch()
    }
    self.usage = usage
  }

  private func countPlace(after old: Place) {
    guard place.counts != old.counts else { return }
    if place.counts { usage.addMatch() } else { usage.removeMatch() }
  }

  /// What the player waits for.
  var request: PendingRequest? {
    guard case .waiting(let request) = place else { return nil }
    return request
  }

  /// The player as a line of a list.
  var summary: PlayerSummary {
    switch place {
    case .lobby: PlayerSummary(name: name.text, place: .lobby, game: nil)
    case .waiting(let request):
      PlayerSummary(name: name.text, place: .waiting, game: request.game.info.id)
    case .playing(let match): PlayerSummary(name: name.text, place: .playing, game: match.game)
    case .watching(let match): PlayerSummary(name: name.text, place: .watching, game: match.game)
    }
  }

  /// Whether a token that is or was the session's takes it up. A spent one does so while the
  /// connection is lost that it made: the token that came after it may never have arrived.
  func isOpened(by token: Token) -> Bool { token == self.token || connection == nil }

  /// Refuses an invitation when the most that may stand do: this player's client shows them all, and
  /// gets them again with each `resume`.
  func checkRoomForInvitation() throws(CommandError) {
    guard incomingRequests.count >= Self.maxInvitations else { return }
    throw CommandError(
      .tooFast, field: "opponent",
      "\(name.text) has too many invitations already. To play with anyone, type: start")
  }

  /// Refuses to write more to somebody who has not read what is there already; otherwise an
  /// invitation sent and taken back again and again would close that player's connection.
  func checkThatItReads(
    upTo maxUnsent: Int = ClientConnection.softLimit, field: String? = nil
  ) throws(CommandError) {
    guard connection?.isBehind(maxUnsent) == true else { return }
    throw CommandError(
      .tooFast, field: field,
      "\(name.text) has not read earlier messages yet. Try again in a moment.", retry: .seconds(1))
  }

  /// Refuses a remark that follows too many others.
  func checkChatRate(at now: Duration) throws(CommandError) {
    try chatRate?.take(at: now, orSay: "You are chatting too fast. Try again in a moment.")
  }

  func write(_ event: Event) {
    connection?.write(event)
  }

  /// Writes a line that all in a match get, as this player's copy.
  func write(line: Span<UInt8>, you: Mark?) {
    connection?.write(line: line, you: you)
  }
}
