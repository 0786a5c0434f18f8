import Shared

@testable import Server

/// A player that acts at random, checks every line it receives, and reconnects after faults. It
/// writes the wire by itself, so it can do what the real client never does.
final class SimulatedPlayer {
  enum Place: Equatable {
    /// Not logged in.
    case outside
    case lobby
    /// `nil` waits for anyone.
    case waiting(opponent: String?)
    case playing, watching
  }

  let name: String
  let world: World
  var place = Place.outside
  /// The match that it is in, or was in when the connection was lost.
  var match: MatchReplica?
  /// The game of each invitation, by the name of the player who invites it.
  var invitations: [String: String] = [:]
  /// The player who declined last to play with it.
  var declinedBy: String?
  /// The player with whom it declined last to play.
  var hasDeclined: String?
  /// Whether it has asked for a rematch.
  var hasAskedForRematch = false
  var token: String?
  var usedTokens: [String] = []
  /// Its place when the connection was lost.
  var placeBeforeLoss: Place?
  /// The token that the last `resume` used, and that `token` replaced. It is valid again while the
  /// connection is lost.
  var previousToken: String?
  /// The reply to a `resume`, with the next token, may have been lost. Then `token` is spent, and
  /// valid only while no other connection carries the session.
  var tokenIsUncertain = false
  /// Whether no other connection can have carried the session when the last `resume` was sent.
  private(set) var wasAlone = false
  /// It has just resumed: the server may still repeat the current state.
  var isCatchingUp = false
  /// The past events that must arrive next.
  var replay: Replay?
  var connection: PlayerConnection?
  /// The connection from which its session was or is being taken over.
  var oldConnection: PlayerConnection?
  /// Whether it resumed with a spent token.
  var hasUsedPreviousToken = false
  /// Whether its old connection received `takenOver`.
  var wasTakenOver = false
  /// Whether it will never reconnect.
  var isGone = false
  /// Whether commands had no reply when the connection was lost.
  var lostCommands = false
  /// How many matches it had been in when it last asked for one in the lobby.
  var matchesBefore = 0
  private var reconnectsAt: Duration = .zero

  /// Events that the server repeats after `sync` or `stale`.
  struct Replay {
    var next: Int
    var hasBegun = false
  }

  init(_ name: String, in world: World) {
    self.name = name
    self.world = world
  }

  var random: SeededRandom { world.random }
  var isLoggedIn: Bool { connection != nil && place != .outside }

  /// Whether it does nothing more.
  var isDone: Bool {
    guard connection == nil, oldConnection == nil else { return false }
    return isGone || world.isDown || (world.isFinishing && placeBeforeLoss != .playing)
  }

  func begin() {
    later(random.duration(.zero...Duration.seconds(5)))
  }

  func note(_ text: @autoclosure () -> String, _ link: SimulatedLink) {
    world.note("\(name)/\(link.number) \(text())")
  }

  func fail(_ violation: ViolationError) {
    world.fail("\(name): \(violation.text)")
  }

  func send(_ command: Command) {
    let words = random.happens(percent: 8) ? command.words : nil
    send(command, words)
  }

  private func send(_ command: Command, _ words: String?) {
    guard let connection else { return }
    note("> \(words ?? "\(command)")", connection.link)
    switch command {
    case .leave: world.history[name, default: PlayerHistory()].leaves += 1
    case .quit:
      world.history[name, default: PlayerHistory()].leaves += 1
      connection.allowedByes.insert(.quit)
    case .resign: world.history[name, default: PlayerHistory()].resigns += 1
    case .say(let text): world.history[name, default: PlayerHistory()].texts.insert(text)
    case .start where place == .lobby: matchesBefore = world.model.matchesBegun(by: name)
    case .resume: wasAlone = world.history[name]?.openLinks == 1
    default: break
    }
    connection.send(command, inWords: words)
  }

  private func later(_ delay: Duration) {
    world.network.after(delay) { [weak self] in self?.tick() }
  }

  private func tick() {
    guard !isDone, world.failure == nil else { return }
    if connection == nil {
      if reconnectsAt <= world.now, !isGone, oldConnection == nil, !world.isDown { connect() }
    } else if isLoggedIn, connection?.bye == nil {
      act()
    }
    later(
      world.isFinishing
        ? random.duration(.milliseconds(50)...Duration.milliseconds(500))
        : random.duration(.milliseconds(50)...Duration.seconds(4)))
  }

  func connect() {
    let connection = PlayerConnection(world.connect(name), player: self)
    if world.plan.settings.limits.idle != nil { connection.allowedByes.insert(.idle) }
    self.connection = connection
    (hasUsedPreviousToken, wasTakenOver) = (false, false)
    note("connects", connection.link)
    // The cut can come before the first command, or between a command and its reply.
    let isAwaited = placeBeforeLoss == .playing
    guard world.plan.faultsPerThousand > 0, !world.isFinishing,
      random.happens(percent: isAwaited ? 60 : 8)
    else {
      return
    }
    let delay = random.duration(.zero...Duration.seconds(1))
    if random.happens(percent: isAwaited ? 80 : 50) {
      // After about this many bytes the reply to a `resume` is in flight.
      let bytes =
        isAwaited ? world.helloLength + random.int(10...190) : random.int(1...1_500)
      return connection.link.cut(afterBytes: bytes, client: delay, server: delay / 3)
    }
    world.network.after(random.duration(.zero...Duration.seconds(2))) { [weak connection] in
      connection?.link.cut(client: delay, server: .zero)
    }
  }

  /// Logs in or resumes on a new connection. It may first try tokens that are invalid or spent.
  func authenticate() {
    if let dead = random.pick(world.deadTokens),
      random.happens(percent: placeBeforeLoss == .playing ? 10 : 50)
    {
      world.coverage.noteTokenReplay()
      return send(.resume(token: dead, seq: nil), nil)
    }
    // If `token` may be spent too, a lost reply to this `resume` would leave no certain token.
    if !tokenIsUncertain, let used = random.pick(usedTokens.suffix(2)), random.happens(percent: 20)
    {
      return send(.resume(token: used, seq: nil), nil)
    }
    authenticateWithValidToken()
  }

  func authenticateWithValidToken() {
    let isWorthIt =
      oldConnection != nil || placeBeforeLoss == .playing || random.happens(percent: 30)
    if let token, isWorthIt {
      let seq = random.happens(percent: 90) && !lostCommands ? match?.seq : nil
      send(.resume(token: token, seq: seq), nil)
    } else {
      forget()
      let badName = random.happens(percent: 10) ? random.pick(Self.badNames) : nil
      send(.login(name: badName ?? name, password: nil), nil)
    }
  }

  /// Names that are not allowed.
  private static let badNames = [
    "bot", "b\u{43E}t", "\(Player.botName)\u{FE0F}", "b\u{34F}ot", "\u{2800}",
    String(repeating: "\u{FDFA}", count: 432),
    "a" + String(repeating: "\u{301}\u{327}", count: 400),
  ]

  /// Gives up the old session.
  func forget() {
    token = nil
    tokenIsUncertain = false
    match = nil
    placeBeforeLoss = nil
  }

  /// Keeps the state that a `resume` must restore.
  func noteLoss(of connection: PlayerConnection) {
    placeBeforeLoss = place
    lostCommands = !connection.pending.isEmpty
    place = .outside
    (replay, isCatchingUp, hasAskedForRematch, invitations) = (nil, false, false, [:])
  }

  func connectionDidEnd(_ ended: PlayerConnection) {
    if ended === oldConnection {
      oldConnection = nil
      return
    }
    guard ended === connection else { return }
    connection = nil
    // The connection that was to be taken over ends as well.
    oldConnection?.link.cut(client: .zero, server: .zero)
    oldConnection = nil
    for pending in ended.pending {
      guard case .resume(let sent, _) = pending.command, place == .outside else { continue }
      // That token is spent now, or was before. The one that replaced it may be invalid.
      if sent == previousToken { token = sent }
      if sent == token { tokenIsUncertain = true }
    }
    if ended.bye == .quit { noteEndOfSession() }
    if place != .outside { noteLoss(of: ended) }
    if ended.bye == .quit { forget() }
    if !world.isFinishing, placeBeforeLoss != .playing, random.happens(percent: 5) { isGone = true }
    let waits = world.isFinishing ? [1] : [2, 5, 70]
    let most = Duration.seconds(random.pick(waits) ?? 1)
    reconnectsAt = world.now + random.duration(.zero...most)
  }
}
