import RIBs
import Shared
import TestSupport

@testable import Server

/// A server and its clients on a simulated network. One clock drives all of them, and one seed
/// determines every random choice.
final class World {
  let seed: UInt64
  let random: SeededRandom
  let plan: WorldPlan
  let network: SimulatedNetwork
  let model: ServerModel
  let lobby: LobbyModel
  /// By the name of the player.
  var history: [String: PlayerHistory] = [:]
  /// What players received.
  var coverage = Coverage()
  private(set) var failure: String?
  private(set) var isFinishing = false
  /// Tokens that must never resume a session again.
  var deadTokens: [String] = []
  /// When the server began to drain.
  private(set) var drainsSince: Duration?
  /// Whether the server has shut down.
  private(set) var isDown = false
  /// The latest events; empty unless the world is traced.
  private(set) var trace: [String] = []
  private let isTracing: Bool
  /// Only the server uses this clock, so that a timer it leaves behind is noticed.
  private let clock = ManualTimers()
  private let clientClock = ManualTimers()
  private let root: any Server.RootRouting
  private let control: any Server.ServerControl
  private let rootRouter: RootRouter?
  private let thinker: SimulatedBotThinker
  private var players: [SimulatedPlayer] = []
  private var clients: [SimulatedClient] = []
  private var serverEnds: [WeakEnd] = []
  private var number = 0
  /// The length of a `hello`, once a player has received one.
  var helloLength = 0
  /// How many connections the server holds.
  private var openLinks = 0

  private struct WeakEnd {
    weak var end: SimulatedConnection?
  }

  init(seed: UInt64, isTracing: Bool = false) {
    self.seed = seed
    self.isTracing = isTracing
    random = SeededRandom(seed: seed)
    plan = WorldPlan(random)
    let now = { [clock] in clock.now }
    network = SimulatedNetwork(random: random, clock: now)
    let model = ServerModel(clock: now)
    self.model = model
    let games = GameInfo.all.map { game in
      Game(game) { ObservedGameBuilder(dependency: $0, game: $1, model: model) }
    }
    thinker = SimulatedBotThinker(random: SeededRandom(seed: random.seed()), timers: clock)
    (root, control, _) = Server.RootBuilder(
      dependency: WorldDependency(
        games: GameRegistry(games), random: RandomSource(SeededGenerator(seed: random.seed())),
        botThinker: thinker, timers: clock, settings: plan.settings)
    ).build()
    let matches = (control as? Server.RootInteractor)?.matches
    lobby = LobbyModel(plan: plan, clock: now, hasMatch: { matches?[$0] != nil })
    rootRouter = root as? RootRouter
    rootRouter?.detectLeaks(
      with: LeakDetector(
        schedule: { [clock] in clock.schedule(after: $0, $1).cancel },
        didLeak: { [weak self] in self?.fail("\($0) outlived its RIB") }))
    control.launch()
    players = (1...plan.players).map { SimulatedPlayer("p\($0)", in: self) }
    clients = (0..<plan.clients).map {
      SimulatedClient("r\($0 + 1)", in: self, timers: clientClock)
    }
  }

  var now: Duration { clock.now }

  /// Runs the world from its beginning to its end. Returns what went wrong; `nil` is a pass.
  func run() -> String? {
    for player in players { player.begin() }
    for proxy in clients { proxy.begin() }
    endTurn()
    run(until: plan.length) { false }
    switch plan.ending {
    case .calm: note("finish")
    case .shutdown: shutDown()
    case .drain: drain()
    }
    endTurn()
    isFinishing = true
    network.isCalm = true
    run(until: now + .seconds(900)) { players.allSatisfy(\.isDone) && clients.allSatisfy(\.isDone) }
    for player in players where !player.isDone { fail("\(player.name) never came to an end") }
    for proxy in clients where !proxy.isDone { fail("\(proxy.name) never came to an end") }
    // Half-open connections and sessions without a connection run into their time-outs.
    run(until: now + .seconds(900)) { openLinks == 0 && control.matchCount == 0 }
    // So do the leak detector, bytes that are still in flight, and the server's records of
    // addresses, which count unknown codes for a minute.
    run(until: now + .seconds(90)) { false }
    if let next = clock.next { fail("a timer of the server is left, for \(next), now \(now)") }
    run(until: now + .seconds(60)) { false }
    if let next = clientClock.next { fail("a timer of a client is left, for \(next), now \(now)") }
    if failure == nil { checkThatNothingIsLeft() }
    coverage.note(lobby.counts)
    coverage.note(["cancelled thoughts": thinker.cancelled])
    // Players hold the world.
    players = []
    clients = []
    return failure
  }

  private func shutDown() {
    note("shutdown")
    isDown = true
    control.shutDown()
  }

  /// Lets running games end until the deadline, while players act as before.
  private func drain() {
    note("drain")
    let end = now + (plan.settings.drain ?? .zero)
    drainsSince = now
    model.mayBegin = false
    let ended = model.endedGames
    lobby.drain(within: plan.settings.drain)
    control.drain(within: nil) { [unowned self] in
      let cut = model.runningGames
      if cut > 0, now != end { fail("the server shuts down, but \(cut) games run") }
      coverage.noteDrain(ended: model.endedGames - ended, cut: cut)
      shutDown()
    }
    run(until: end) { isDown }
    if !isDown { fail("the server has not shut down, but its deadline has passed") }
  }

  private func run(until end: Duration, _ isDone: () -> Bool) {
    while failure == nil, !isDone() {
      let times = [clock.next, clientClock.next, network.next].compactMap(\.self)
      guard let next = times.min(), next <= end else { break }
      let step = max(.zero, next - now)
      clock.advance(by: step)
      clientClock.advance(by: step)
      network.run()
      endTurn()
    }
  }

  private func endTurn() {
    network.endTurn()
    do throws(ViolationError) {
      try model.endTurn(of: root, matches)
      try lobby.endTurn()
    } catch {
      fail(error.text)
    }
    if let drainsSince, !isDown, model.runningGames == 0 {
      // The server shuts down one turn after the last game ended, at the same time.
      if now > max(drainsSince, model.lastEnd) {
        fail("no game runs, but the server keeps running")
      }
    }
    if thinker.pending > model.runningGames { fail("a bot thinks about a game that is over") }
    guard let grace = plan.grace, grace >= .seconds(60) else { return }
    for name in model.abandoners where history[name]?.alwaysReturns == true {
      fail("\(name) lost a game because it was away, but it had come back in time")
    }
  }

  private func checkThatNothingIsLeft() {
    if control.matchCount != 0 || !root.children.isEmpty { fail("a match is left") }
    if network.next != nil { fail("the network does not come to rest") }
    let connections = serverEnds.count { $0.end != nil }
    if connections != 0 { fail("\(connections) connections are left") }
    let sessions = model.remainingSessions
    if !sessions.isEmpty { fail("sessions are left: \(sessions)") }
    guard !isDown else { return }
    let inspector = FinalInspector(connect("last"))
    endTurn()
    run(until: now + .seconds(60)) { false }
    if let failure = inspector.failure { fail(failure) }
  }

  /// Opens a connection to the server. Returns the client's end.
  func connect(_ name: String) -> SimulatedConnection {
    let link = network.makeLink()
    history[name, default: PlayerHistory()].openLinks += 1
    openLinks += 1
    let (client, server) = link.open()
    link.serverDidEnd = { [weak self, weak link] in
      guard let self, let link else { return }
      history[name, default: PlayerHistory()].linkDidEnd(link.number, at: now)
      lobby.linkDidEnd(link.number, of: name)
      openLinks -= 1
      note("\(name)/\(link.number) is over for the server")
    }
    server.onSend = { [weak self, number = link.number] line in
      guard let self else { return }
      do throws(ViolationError) {
        try lobby.server(sends: line, to: name, on: number)
      } catch {
        fail(error.text)
      }
    }
    serverEnds.append(WeakEnd(end: server))
    control.accept(server)
    return client
  }

  func fail(_ text: String) {
    guard failure == nil else { return }
    failure = "\(text) (at \(now))"
    note("FAILURE \(text)")
  }

  func note(_ text: @autoclosure () -> String) {
    guard isTracing else { return }
    if trace.count >= 400 { trace.removeFirst(200) }
    trace.append("\(now) \(text())")
  }

  func nextNumber() -> Int {
    number += 1
    return number
  }

  func randomPlayer(except name: String) -> String? {
    random.pick((players.map(\.name) + clients.map(\.name)).filter { $0 != name })
  }

  private var matches: MatchRegistry? { (control as? Server.RootInteractor)?.matches }

  func hasMatch(_ id: String) -> Bool { matches?[id] != nil }

  /// Whether a session of that name can still exist: it has a connection, or lost one recently.
  func mayBeLoggedIn(_ name: String) -> Bool {
    guard let history = history[name] else { return false }
    let grace = plan.settings.resumeWithin ?? .zero
    let isLate = history.losses.last.map { now - $0 > grace + .seconds(6) } ?? true
    return history.openLinks > 1 || !isLate
  }

  /// Whether a player of that name is certainly logged in.
  func isLoggedIn(_ name: String) -> Bool {
    history[name]?.wasOnline(from: now - .seconds(60), to: now) == true
  }
}

private final class WorldDependency: Server.RootDependency {
  let games: GameRegistry
  let random: RandomSource
  let botThinker: any BotThinker
  let timers: any Timers
  let settings: ServerSettings
  let serverLog = ServerLog(.silent)

  init(
    games: GameRegistry, random: RandomSource, botThinker: any BotThinker, timers: any Timers,
    settings: ServerSettings
  ) {
    self.botThinker = botThinker
    self.games = games
    self.random = random
    self.timers = timers
    self.settings = settings
  }
}
