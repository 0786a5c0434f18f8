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

  private struct Pending {
    let id: Int
    let command: Command
    let time: Duration
    /// The last event of the match that anybody had been told then.
    let lastSeq: Int
  }

  private struct Rival {
    let wire: SimulatedWire
    let node: SimulatedNode
    let time: Duration
    var hasSent = false
  }

  let name: String
  private let number: Int
  private unowned let world: ClusterWorld
  private var node: SimulatedNode?
  private var wire: SimulatedWire?
  private var framer = LineFramer(limit: ProtocolLimits.maxEventLine)
  private var decoder = EventDecoder()
  private var pending: [Pending] = []
  /// A second connection that sends the same token at the same time, at any node.
  private var rival: Rival?
  /// The token that such a connection has sent without getting an answer. If it was carried out
  /// last, only this one is good.
  private var rivalToken: String?
  private var lastID = 0
  private var isIn = false
  private var connectTime: Duration = .zero
  private var token: String?
  private var place = Place.lobby
  private var tracker: MatchTracker?
  private var inviter: String?
  /// The life of the node at the other end.
  private var life: Life?
  /// How long the player waits for a reply before trying elsewhere.
  private var patience: Duration
  /// When the player was last told something in the match.
  private var lastSeen: Duration = .zero
  /// Whether the player was logged in while everything was well.
  private(set) var hasBeenBack = false
  /// When the player was sent to other nodes.
  private(set) var moves: [Duration] = []
  /// When a token that was sent to a life of a node was sent there last, and how many failovers
  /// there had been.
  private var sendings: [String: (time: Duration, failovers: Int)] = [:]

  /// With `isIdle` the player does only what is asked for.
  init(_ number: Int, in world: ClusterWorld, isIdle: Bool = false) {
    self.number = number
    self.world = world
    name = "p\(number)"
    patience = world.random.duration(.seconds(3)...Duration.seconds(25))
    if !isIdle { act() }
  }

  private var random: SeededRandom { world.random }

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

  // MARK: Connections

  func connect(after delay: Duration, to address: String? = nil) {
    world.time.after(delay) { [unowned self] in
      guard wire == nil else { return }
      let node = world.nodes.first { $0.address == address } ?? world.anyNode()
      guard let wire = connect(to: node) else { return }
      use(wire, node, since: world.now)
      guard token != nil, random.happens(percent: 20) else { return }
      let other = world.anyNode()
      guard let wire = connect(to: other) else { return }
      rival = Rival(wire: wire, node: other, time: world.now)
    }
  }

  private func use(_ wire: SimulatedWire, _ node: SimulatedNode, since time: Duration) {
    self.wire = wire
    self.node = node
    framer = LineFramer(limit: ProtocolLimits.maxEventLine)
    connectTime = time
    lastID = 0
    pending = []
  }

  private func connect(to node: SimulatedNode) -> SimulatedWire? {
    guard
      let wire = try? SimulatedWire(
        world.time, latency: .milliseconds(1)...Duration.milliseconds(40))
    else {
      world.fail("there are no more sockets")
      return nil
    }
    wire.onReceive = { [weak self, weak wire] in
      guard let self else { return }
      if wire === self.wire { receive($0) } else if wire === rival?.wire { takeFromRival($0) }
    }
    wire.onEnd = { [weak self, weak wire] in
      if let wire { self?.didEnd(wire) }
    }
    world.note("\(name) connects to \(node.name)")
    world.time.after(.milliseconds(1)...Duration.milliseconds(40)) { [weak self] in
      guard let self, wire === self.wire || wire === rival?.wire else { return }
      guard let process = node.process, process.isListening else {
        world.note("\(name): \(node.name) refuses")
        return didEnd(wire)
      }
      process.accept(wire, number: number)
    }
    return wire
  }

  private func didEnd(_ wire: SimulatedWire) {
    if wire === self.wire {
      world.note("\(name): end")
      lose(comingBackAfter: random.duration(.milliseconds(10)...Duration.seconds(1)))
    } else if wire === rival?.wire {
      endRival()
    }
  }

  /// Forgets the connection, and comes back after a time, unless there is another connection.
  private func lose(comingBackAfter delay: Duration, at address: String? = nil) {
    wire?.close()
    wire = nil
    isIn = false
    pending = []
    guard let rival else { return connect(after: delay, to: address) }
    world.note("\(name) goes on at \(rival.node.name)")
    self.rival = nil
    use(rival.wire, rival.node, since: rival.time)
    guard rival.hasSent, let token else { return }
    lastID = 1
    pending = [
      Pending(id: 1, command: .resume(token: token, seq: nil), time: rival.time, lastSeq: 0)
    ]
  }

  // MARK: The second connection

  private func endRival() {
    rival?.wire.close()
    if rival?.hasSent == true { rivalToken = token }
    rival = nil
  }

  /// The second connection only waits for its greeting and for its answer. If that is good, the
  /// player goes on there.
  private func takeFromRival(_ bytes: [UInt8]) {
    guard let wire = rival?.wire, let token else { return endRival() }
    if rival?.hasSent == false {
      rival?.hasSent = true
      var line: [UInt8] = []
      CommandEncoder.append(.resume(token: token, seq: nil), id: .integer(1), to: &line)
      world.note("\(name) >> \(String(decoding: line.dropLast(), as: UTF8.self))")
      world.count("tokens sent twice")
      // Behind the greeting.
      return wire.send(line)
    }
    guard bytes.starts(with: Array(#"{"type":"didLogin""#.utf8)) else {
      world.note("\(name) << \(String(decoding: bytes, as: UTF8.self))")
      return endRival()
    }
    lose(comingBackAfter: .zero)
    receive(bytes)
  }

  private func receive(_ bytes: [UInt8]) {
    var offset = 0
    let chunk = bytes.span
    let current = wire
    while current === wire {
      switch framer.next(in: chunk, from: &offset) {
      case .line(let range): handle(chunk.extracting(range))
      case .joined(let line): handle(line.span)
      case .needsMore: return
      case .tooLong: return world.fail("\(name) got a line that is too long")
      }
    }
  }

  private func send(_ command: Command) {
    lastID += 1
    let last = tracker.map { world.told.lastSeq(of: $0.match) } ?? 0
    pending.append(Pending(id: lastID, command: command, time: world.now, lastSeq: last))
    var line: [UInt8] = []
    CommandEncoder.append(command, id: .integer(lastID), to: &line)
    world.note("\(name) > \(String(decoding: line.dropLast(), as: UTF8.self))")
    wire?.send(line)
  }

  // MARK: Lines

  private func handle(_ line: Span<UInt8>) {
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

  private func handle(
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

  private func leave(_ code: ByeCode, _ retry: Duration?, _ address: String?) {
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
    guard world.told.hasLost(tracker.match) == false,
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

  // MARK: Actions

  private func act() {
    world.time.after(.milliseconds(50)...Duration.milliseconds(1_200)) { [weak self] in
      guard let self else { return }
      checkPatience()
      if isIn, wire != nil { actOnce() }
      act()
    }
  }

  private func checkPatience() {
    guard wire != nil else { return }
    let waiting = pending.first?.time ?? (isIn ? nil : connectTime)
    guard let waiting else { return }
    if let calm = world.calmSince {
      if world.now - max(waiting, calm) > ClusterWorld.returnTime {
        world.fail("\(name) waits without end: \(description) at \(node?.name ?? "")")
      }
      // Who has waited for a node that is gone need not wait for longer.
      if waiting < calm, world.now - calm > .seconds(3) {
        lose(comingBackAfter: .milliseconds(10))
      }
    } else if world.now - waiting > patience {
      world.count("lost patience")
      lose(comingBackAfter: .milliseconds(10))
    }
  }

  private func actOnce() {
    if world.calmSince != nil { hasBeenBack = true }
    guard pending.count < 2 else { return }
    if !world.isFinishing, random.happens(percent: 2) {
      world.note("\(name) loses the connection")
      return lose(comingBackAfter: random.duration(.zero...Duration.seconds(2)))
    }
    switch place {
    case .lobby: actInLobby()
    case .waiting: if world.isFinishing || random.happens(percent: 5) { send(.cancel) }
    case .playing: actInMatch()
    case .watching:
      if world.isFinishing || random.happens(percent: 15) {
        send(.leave)
      } else if random.happens(percent: 20) {
        send(random.happens(percent: 50) ? .say("hello \(lastID)") : .sync(seq: nil))
      }
    }
  }

  private func actInLobby() {
    guard !world.isFinishing, pending.isEmpty else { return }
    let game = random.happens(percent: 20) ? "connect" : nil
    let other = random.pick(world.players)?.name ?? name
    switch random.int(1...100) {
    case ...45: send(.start(opponent: nil, game: game))
    case ...50:
      // Both at the same moment.
      guard let other = world.players.filter({ $0.isFree && $0.isElsewhere(than: self) }).first
      else { return }
      world.count("mutual invitations")
      invite(other)
      other.invite(self)
    case ...60:
      let opponent = inviter ?? other
      inviter = nil
      if opponent != name { send(.start(opponent: opponent, game: game)) }
    case ...70: send(.open(game: game))
    case ...85: if let code = random.pick(world.codes.suffix(3)) { send(.join(code: code)) }
    case ...93: if let match = random.pick(world.matches.suffix(4)) { send(.watch(match: match)) }
    default: send(.list(.players))
    }
  }

  private func actInMatch() {
    guard let tracker else { return pending.isEmpty ? send(.sync(seq: nil)) : () }
    if tracker.isOver {
      let goesOn = !world.isFinishing && random.happens(percent: 60)
      return send(goesOn ? .start(opponent: nil, game: nil) : .leave)
    }
    if tracker.board.turn == tracker.you {
      guard let cell = random.pick(tracker.board.openCells) else { return }
      return send(.place(cell, seq: tracker.seq))
    }
    switch random.int(1...100) {
    case ...8: send(.say("hello \(lastID)"))
    case ...16: send(.sync(seq: nil))
    case ...17: send(.resign)
    case ...18: send(.leave)
    default: break
    }
  }
}
