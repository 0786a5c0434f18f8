import Shared

@testable import Server

/// Somebody who plays by a script of chance, checks every line that comes, and comes back after
/// mishaps.
final class Person {
  enum Place: Equatable {
    /// Not logged in.
    case outside
    case lobby
    /// `nil`: for anyone.
    case waiting(opponent: String?)
    case playing, watching
  }

  let name: String
  let world: World
  var place = Place.outside
  /// Of the match that it is in, or was in when the connection was lost.
  var match: MatchPicture?
  /// Who wants to play with it; only ever asked for one name.
  var invitations: Set<String> = []
  /// It has asked for the next game.
  var hasAsked = false
  var token: String?
  var usedTokens: [String] = []
  /// Where it was when the connection was lost.
  var lostPlace: Place?
  /// What the session was taken up with, in the place of which `token` came. It is good again while
  /// the connection is lost.
  var spentToken: String?
  /// A `resume` may have been carried out whose answer, with the next token, was lost. Then `token`
  /// is spent, and good only while no other connection carries the session.
  var tokenIsDoubtful = false
  /// No other connection can have carried the session when the last `resume` was sent.
  private(set) var wasAlone = false
  /// It came back a moment ago: the server may still repeat what stands.
  var isCatchingUp = false
  /// Past events that come next.
  var replay: Replay?
  var wire: Wire?
  /// Its session was, or is just being, taken over from this one.
  var oldWire: Wire?
  /// It came back with a spent token.
  var hasUsedSpent = false
  /// Its old connection was told that it is taken over.
  var wasTakenOver = false
  /// Will not come back.
  var isGone = false
  /// Commands were under way when the connection was lost.
  var lostCommands = false
  /// How many matches it had been in, by the server, when it last asked for one in the lobby.
  var matchesBefore = 0
  private var comesBackAt: Duration = .zero

  /// Events that come again, after `sync` or `stale`.
  struct Replay {
    var next: Int
    var hasBegun = false
  }

  init(_ name: String, in world: World) {
    self.name = name
    self.world = world
  }

  var chance: Chance { world.chance }
  var isLoggedIn: Bool { wire != nil && place != .outside }

  /// Nothing more is to be expected of it.
  var isDone: Bool {
    guard wire == nil, oldWire == nil else { return false }
    return isGone || world.isDown || (world.isFinishing && lostPlace != .playing)
  }

  func begin() {
    later(chance.duration(.zero...Duration.seconds(5)))
  }

  func note(_ text: @autoclosure () -> String, _ link: SimulatedLink) {
    world.note("\(name)/\(link.number) \(text())")
  }

  func fail(_ violation: Violation) {
    world.fail("\(name): \(violation.text)")
  }

  func send(_ command: Command) {
    let words = chance.happens(8) ? command.words : nil
    send(command, words)
  }

  private func send(_ command: Command, _ words: String?) {
    guard let wire else { return }
    note("> \(words ?? "\(command)")", wire.link)
    switch command {
    case .leave: world.conduct[name, default: Conduct()].leaves += 1
    case .quit:
      world.conduct[name, default: Conduct()].leaves += 1
      wire.earned.insert(.quit)
    case .resign: world.conduct[name, default: Conduct()].resigns += 1
    case .say(let text): world.conduct[name, default: Conduct()].texts.insert(text)
    case .start where place == .lobby: matchesBefore = world.ledger.matchesBegun(by: name)
    case .resume: wasAlone = world.conduct[name]?.openLinks == 1
    default: break
    }
    wire.send(command, inWords: words)
  }

  private func later(_ delay: Duration) {
    world.network.after(delay) { [weak self] in self?.tick() }
  }

  private func tick() {
    guard !isDone, world.failure == nil else { return }
    if wire == nil {
      if comesBackAt <= world.now, !isGone, oldWire == nil, !world.isDown { connect() }
    } else if isLoggedIn, wire?.bye == nil {
      act()
    }
    later(
      world.isFinishing
        ? chance.duration(.milliseconds(50)...Duration.milliseconds(500))
        : chance.duration(.milliseconds(50)...Duration.seconds(4)))
  }

  func connect() {
    let wire = Wire(world.connect(name), person: self)
    if world.plan.settings.limits.idle != nil { wire.earned.insert(.idle) }
    self.wire = wire
    (hasUsedSpent, wasTakenOver) = (false, false)
    note("connects", wire.link)
    // Also before anything is said, and between a command and its answer.
    let isAwaited = lostPlace == .playing
    guard world.plan.mishaps > 0, !world.isFinishing, chance.happens(isAwaited ? 60 : 8) else {
      return
    }
    let delay = chance.duration(.zero...Duration.seconds(1))
    if chance.happens(isAwaited ? 80 : 50) {
      // About here the answer to a `resume` is under way.
      let bytes = isAwaited ? chance.int(340...520) : chance.int(1...1_500)
      return wire.link.cut(afterBytes: bytes, client: delay, server: delay / 3)
    }
    world.network.after(chance.duration(.zero...Duration.seconds(2))) { [weak wire] in
      wire?.link.cut(client: delay, server: .zero)
    }
  }

  /// Says who it is, on a new connection, but may try tokens before that which are not good, or
  /// hardly.
  func introduce() {
    if let dead = chance.pick(world.deadTokens), chance.happens(lostPlace == .playing ? 10 : 50) {
      world.sightings.noteReplay()
      return send(.resume(token: dead, seq: nil), nil)
    }
    // Where both may be spent, a lost answer to this one would leave none that is certain.
    if !tokenIsDoubtful, let used = chance.pick(usedTokens.suffix(2)), chance.happens(20) {
      return send(.resume(token: used, seq: nil), nil)
    }
    introduceProperly()
  }

  func introduceProperly() {
    let isWorthIt = oldWire != nil || lostPlace == .playing || chance.happens(30)
    if let token, isWorthIt {
      let seq = chance.happens(90) && !lostCommands ? match?.seq : nil
      send(.resume(token: token, seq: seq), nil)
    } else {
      forget()
      let badName = chance.happens(10) ? chance.pick(Self.badNames) : nil
      send(.login(name: badName ?? name, password: nil), nil)
    }
  }

  /// Those that nobody may have.
  private static let badNames = [
    "bot", "b\u{43E}t", "\(Player.botName)\u{FE0F}", "b\u{34F}ot", "\u{2800}",
    String(repeating: "\u{FDFA}", count: 432),
    "a" + String(repeating: "\u{301}\u{327}", count: 400),
  ]

  /// Begins anew, without the old session.
  func forget() {
    token = nil
    tokenIsDoubtful = false
    match = nil
    lostPlace = nil
  }

  /// Keeps what has to be again after a `resume`.
  func noteLoss(of wire: Wire) {
    lostPlace = place
    lostCommands = !wire.pending.isEmpty
    place = .outside
    (replay, isCatchingUp, hasAsked, invitations) = (nil, false, false, [])
  }

  func wireDidEnd(_ ended: Wire) {
    if ended === oldWire {
      oldWire = nil
      return
    }
    guard ended === wire else { return }
    wire = nil
    // The one that was to be taken over is given up with it.
    oldWire?.link.cut(client: .zero, server: .zero)
    oldWire = nil
    for pending in ended.pending {
      guard case .resume(let sent, _) = pending.command, place == .outside else { continue }
      // That one is spent now, or was before; the one that came after it may be good no more.
      if sent == spentToken { token = sent }
      if sent == token { tokenIsDoubtful = true }
    }
    if ended.bye == .quit { noteEndOfSession() }
    if place != .outside { noteLoss(of: ended) }
    if ended.bye == .quit { forget() }
    if !world.isFinishing, lostPlace != .playing, chance.happens(5) { isGone = true }
    let waits = world.isFinishing ? [1] : [2, 5, 70]
    let most = Duration.seconds(chance.pick(waits) ?? 1)
    comesBackAt = world.now + chance.duration(.zero...most)
  }
}
