import Foundation
import TestSupport

@testable import Server
@testable import Shared

/// A player who plays, watches, invites and opens codes, follows `moved`, and comes back after each
/// lost connection at any node.
final class ClusterPlayer {
  enum Place {
    case lobby, waiting, playing, watching
  }

  struct Pending {
    let id: Int
    let command: Command
    let time: Duration
    /// The last event of the match that anybody had been told then.
    let lastSeq: Int
  }

  struct Rival {
    let wire: SimulatedWire
    let node: SimulatedNode
    let time: Duration
    var hasSent = false
  }

  let name: String
  let number: Int
  unowned let world: ClusterWorld
  var node: SimulatedNode?
  var wire: SimulatedWire?
  var framer = LineFramer(limit: ProtocolLimits.maxEventLine)
  private var decoder = EventDecoder()
  var pending: [Pending] = []
  /// A second connection that sends the same token at the same time, at any node.
  var rival: Rival?
  /// The token that such a connection has sent without getting an answer. If it was carried out
  /// last, only this one is good.
  var rivalToken: String?
  var lastID = 0
  var isIn = false
  var connectTime: Duration = .zero
  var token: String?
  var place = Place.lobby
  var tracker: MatchTracker?
  var inviter: String?
  /// The life of the node at the other end.
  private var life: Life?
  /// How long the player waits for a reply before trying elsewhere.
  var patience: Duration
  /// When the player was last told something in the match.
  private var lastSeen: Duration = .zero
  let isIdle: Bool
  /// Whether the player was logged in while everything was well.
  var hasBeenBack = false
  /// Whether the engine has lost its last token together with lines of its match. Then it only comes
  /// back when the seat is given up.
  private(set) var hasLostToken = false
  /// When the player was sent to other nodes.
  private(set) var moves: [Duration] = []
  /// When a token that was sent to a life of a node was sent there last, and how many failovers
  /// there had been.
  private var sendings: [String: (time: Duration, failovers: Int)] = [:]

  /// With `isIdle` the player does only what is asked for, over one connection.
  init(_ number: Int, in world: ClusterWorld, isIdle: Bool = false) {
    self.number = number
    self.world = world
    name = "p\(number)"
    patience = world.random.duration(.seconds(3)...Duration.seconds(25))
    self.isIdle = isIdle
    if !isIdle { act() }
  }

  var random: SeededRandom { world.random }

  /// Whether the player could begin something.
  var isFree: Bool { isIn && wire != nil && place == .lobby && pending.isEmpty }

  /// The match that the player is in.
  var match: String? { place == .playing ? tracker?.match : nil }

  /// Whether two players are logged in at different nodes.
  func isElsewhere(than other: ClusterPlayer) -> Bool { node !== other.node }

  /// Asks for a game with another player, after the delays of the network.
  func invite(_ other: ClusterPlayer) { send(.start(opponent: other.name, game: nil)) }

  /// Whether nothing is left to do.
  var isAtRest: Bool { isIn && place == .lobby && pending.isEmpty }

  var description: String {
    "\(name) \(isIn ? "in" : "out") \(place) \(tracker.map { "\($0.match) \($0.seq)" } ?? "")"
      + " pending \(pending.map(\.command))"
  }

  // MARK: Lines

  func handle(_ line: Span<UInt8>) {
    let text = line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    world.note("\(name) < \(text)")
    world.noteDelivery(text)
    let received: ReceivedEvent
    do throws(LineError) {
      received = try decoder.decode(line)
    } catch {
      return world.fail("\(name) cannot read \(text)")
    }
    var answered: Pending?
    if case .integer(let id) = received.re {
      guard let index = pending.firstIndex(where: { $0.id == id }) else {
        return world.fail("\(name) got a reply to no command: \(text)")
      }
      guard index == 0 else { return world.fail("\(name) got no reply to \(pending[0].command)") }
      answered = pending.removeFirst()
    }
    world.check { () throws(ViolationError) in
      try handle(received.event, text, answered)
    }
  }

  func handle(
    _ event: Event, _ text: String, _ answered: Pending?
  ) throws(ViolationError) {
    switch event {
    case .hello: logIn()
    case .didLogin(_, let token, let place, _):
      rivalToken = nil
      endRival()
      self.token = token
      isIn = true
      life = node?.process?.cluster.node.life
      if world.calmSince != nil { hasBeenBack = true }
      switch place {
      case .playing: self.place = .playing
      case .watching: self.place = .watching
      case .waiting: self.place = .waiting
      case .lobby, nil:
        self.place = .lobby
        tracker = nil
      }
    case .didQueue(_, _, let code, _):
      // A player who asks for the next game of a match stays in it.
      if tracker == nil { place = .waiting }
      if let code { world.codes.append(code) }
    case .didCancel: if tracker == nil { place = .lobby }
    case .didLeave: (place, tracker) = (.lobby, nil)
    case .invited(let from, _, _): inviter = from
    case .match(let event): try take(event, text)
    case .matchSnapshot(let snapshot): try take(snapshot, answered)
    case .error(let code, _, _, let retry): try take(code, retry, answered)
    case .bye(let code, _, let retry, let address): leave(code, retry, address)
    default: break
    }
  }

  private func logIn() {
    if let token {
      // Now and then everything but the token is forgotten.
      let forgets = tracker != nil && random.happens(percent: 30)
      send(.resume(token: token, seq: forgets ? nil : tracker?.seq))
    } else {
      send(.login(name: name, password: nil))
    }
  }

  func leave(_ code: ByeCode, _ retry: Duration?, _ address: String?) {
    world.count("bye \(code.rawValue)")
    if code == .moved { noteMove(to: address) }
    let delay = retry ?? random.duration(.milliseconds(100)...Duration.seconds(2))
    lose(comingBackAfter: delay, at: address)
  }

  /// Nobody is sent around without end, and nobody twice to a node that does not answer.
  private func noteMove(to address: String?) {
    world.check { () throws(ViolationError) in
      moves.append(world.now)
      let recent = moves.filter { world.now - $0 < ClusterSessions.moveInterval }
      world.noteMoves(recent.count)
      try require(
        recent.count <= ClusterWorld.maxMoves,
        "\(name) was sent to other nodes \(recent.count) times in"
          + " \(ClusterSessions.moveInterval)")
      guard case .resume(let token, _) = pending.first?.command,
        let life = world.nodes.first(where: { $0.address == address })?.process?.cluster.node.life
      else { return }
      let sending = (time: world.now, failovers: world.engine.failovers)
      if let before = sendings.updateValue(sending, forKey: "\(token) \(life.text)") {
        // A failover may have lost that it was sent.
        try require(
          world.now - before.time > .seconds(6) || before.failovers != sending.failovers,
          "\(name) was sent to \(life.text) twice with the same token")
      }
    }
  }

  /// The line without what is only for this player.
  private static func common(_ text: String) -> String {
    var text = text
    for part in [#","you":"X""#, #","you":"O""#, #""you":"X","#, #""you":"O","#] {
      text = text.replacing(part, with: "")
    }
    guard let start = text.range(of: #""re":"#) else { return text }
    var end = start.upperBound
    while end < text.endIndex, text[end].isNumber { end = text.index(after: end) }
    if end < text.endIndex, text[end] == "," { end = text.index(after: end) }
    text.removeSubrange(start.lowerBound..<end)
    return text.replacing(",}", with: "}")
  }

  private func take(_ event: MatchEvent, _ text: String) throws(ViolationError) {
    lastSeen = world.now
    let common = Self.common(text)
    let isNew = world.told.lines(of: event.match).last.map { $0.seq < event.seq } ?? true
    try world.told.add(common, event.seq, of: event.match, by: life)
    if isNew { try world.checkConfirmed(common, of: event.match) }
    if case .gameDidStart(let state) = event.body {
      if state.you != nil { place = .playing }
      if event.seq == 1 { world.matches.append(event.match) }
    }
    do throws(MatchTracker.TrackingError) {
      if tracker?.match != event.match {
        // A match may have begun while nobody listened.
        guard event.seq == 1 else { return send(.sync(seq: nil)) }
        tracker = try MatchTracker(event)
      } else {
        try tracker?.take(event)
      }
    } catch {
      try require(world.told.hasLost(event.match), "\(name): \(error)")
      return send(.sync(seq: nil))
    }
    if case .matchDidEnd = event.body { (place, tracker) = (.lobby, nil) }
  }

  private func take(_ snapshot: MatchSnapshot, _ answered: Pending?) throws(ViolationError) {
    lastSeen = world.now
    if snapshot.state.you == nil { place = .watching } else { place = .playing }
    if let answered, tracker?.match == snapshot.match, answered.command.type != .watch {
      try require(
        snapshot.seq >= answered.lastSeq || world.told.hasLost(snapshot.match),
        "\(name) is told that \(snapshot.match) is at \(snapshot.seq), but \(answered.lastSeq)"
          + " had been told")
    }
    do throws(MatchTracker.TrackingError) {
      if tracker?.match == snapshot.match {
        try tracker?.take(snapshot)
        world.count("snapshots")
      }
    } catch {
      try require(world.told.hasLost(snapshot.match), "\(name): \(error)")
    }
    tracker = MatchTracker(snapshot)
  }

  private func take(
    _ code: ErrorCode, _ retry: Duration?, _ answered: Pending?
  ) throws(ViolationError) {
    world.count("error \(code.rawValue)")
    switch answered?.command {
    case .resume:
      switch code {
      case .unknownToken where rival != nil:
        // The other connection may be the one that is in.
        lose(comingBackAfter: .zero)
      case .unknownToken where rivalToken != nil:
        (token, rivalToken) = (rivalToken, nil)
        lose(comingBackAfter: .milliseconds(100))
      case .unknownToken:
        try checkIsGone()
        if let tracker {
          hasLostToken = world.told.hasLost(tracker.match) || isTokenLost(with: tracker.match)
        }
        token = nil
        (place, tracker) = (.lobby, nil)
        send(.login(name: name, password: nil))
      default:
        lose(comingBackAfter: retry ?? .seconds(1))
      }
    case .login:
      // The session before may live for some time.
      lose(comingBackAfter: retry ?? .seconds(1))
    case .cancel where code == .notWaiting: if place == .waiting { place = .lobby }
    case .leave, .place, .resign, .sync, .say:
      if code == .notInMatch { (place, tracker) = (.lobby, nil) }
    case .start(_, _, _):
      if code == .alreadyWaiting, tracker == nil { place = .waiting }
    default: break
    }
  }

  /// A player in a match that goes on can come back.
  private func checkIsGone() throws(ViolationError) {
    guard let tracker, place == .playing, world.now - lastSeen < .seconds(50) else { return }
    guard world.told.hasLost(tracker.match) == false, !isTokenLost(with: tracker.match),
      let entries = world.engine.primary.data.stream("j:\(tracker.match)")
    else { return }
    // Its end may be on its way to the engine.
    let goesOn = world.nodes.contains { node in
      node.process?.matches.contains { $0.id == tracker.match } == true
    }
    let hasEnded = world.nodes.contains {
      $0.process?.cluster.store.contains(tracker.match) == true
    }
    try require(
      entries.last?.field("x") != nil || hasEnded && !goesOn,
      "\(name) cannot come back to \(tracker.match)")
  }

  /// Whether a failover has dropped the token, and the node that gave it has died before it could
  /// write that again.
  private func isTokenLost(with match: String) -> Bool {
    guard let token, let (_, secret) = Session.idAndToken(in: token), let life else { return false }
    let stored = world.engine.primary.data.stream("j:\(match)")?.flatMap(\.records) ?? []
    return world.told.hasDropped(token: secret.hash, of: match)
      && !stored.contains { $0.contains(secret.hash) }
      && world.nodes.contains { $0.name == life.node && $0.end(of: life) != nil }
  }
}
