import Shared
import TestSupport

@testable import Server

/// A server and its clients, on a simulated network, with one clock and all chance from one seed.
final class World {
  let seed: UInt64
  let chance: Chance
  let plan: WorldPlan
  let network: SimulatedNetwork
  let ledger: Ledger
  /// What each has done, by name.
  var conduct: [String: Conduct] = [:]
  /// What has come to people, for the tests to see that the worlds are eventful.
  var sightings = Sightings()
  private(set) var failure: String?
  private(set) var isFinishing = false
  /// Tokens that no session is ever taken up with again.
  var deadTokens: [String] = []
  /// When the server began to let its last games end.
  private(set) var drainsSince: Duration?
  /// The server has gone down.
  private(set) var isDown = false
  /// The last that happened, as far as it is traced.
  private(set) var trace: [String] = []
  private let isTracing: Bool
  /// The server's own, apart from all others, to see whether any of its timers is left.
  private let clock = ManualTimers()
  private let clientClock = ManualTimers()
  private let root: any Server.RootRouting
  private let control: any Server.ServerControl
  private let rootRouter: RootRouter?
  private var people: [Person] = []
  private var proxies: [ProxyPerson] = []
  private var serverEnds: [WeakEnd] = []
  private var number = 0
  /// How many connections the server has.
  private var openLinks = 0

  private struct WeakEnd {
    weak var end: SimulatedConnection?
  }

  init(seed: UInt64, isTracing: Bool = false) {
    self.seed = seed
    self.isTracing = isTracing
    chance = Chance(seed: seed)
    plan = WorldPlan(chance)
    let now = { [clock] in clock.now }
    network = SimulatedNetwork(chance: chance, clock: now)
    ledger = Ledger(clock: now)
    let game = Game(.ticTacToe) { [ledger] in
      WatchedGameBuilder(dependency: $0, game: $1, ledger: ledger)
    }
    (root, control) = Server.RootBuilder(
      dependency: WorldDependency(
        games: GameRegistry([game]), random: RandomSource(SeededGenerator(seed: chance.seed())),
        timers: clock, settings: plan.settings)
    ).build()
    rootRouter = root as? RootRouter
    rootRouter?.detectLeaks(
      with: LeakDetector(
        schedule: { [clock] in clock.schedule(after: $0, $1).cancel },
        didLeak: { [weak self] in self?.fail("\($0) outlived its RIB") }))
    control.launch()
    people = (1...plan.people).map { Person("p\($0)", in: self) }
    proxies = (0..<plan.proxies).map { ProxyPerson("r\($0 + 1)", in: self, timers: clientClock) }
  }

  var now: Duration { clock.now }

  /// Runs the world from its beginning to its end; answers what went wrong.
  func run() -> String? {
    for person in people { person.begin() }
    for proxy in proxies { proxy.begin() }
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
    run(until: now + .seconds(900)) { people.allSatisfy(\.isDone) && proxies.allSatisfy(\.isDone) }
    for person in people where !person.isDone { fail("\(person.name) never came to an end") }
    for proxy in proxies where !proxy.isDone { fail("\(proxy.name) never came to an end") }
    // Half-open connections, and sessions that wait for theirs, have their time.
    run(until: now + .seconds(900)) { openLinks == 0 && control.matchCount == 0 }
    // So have what the leak detector watches, all that still comes in, and what the server remembers
    // of an address.
    run(until: now + .seconds(30)) { false }
    if let next = clock.next { fail("a timer of the server is left, for \(next), now \(now)") }
    run(until: now + .seconds(60)) { false }
    if let next = clientClock.next { fail("a timer of a client is left, for \(next), now \(now)") }
    if failure == nil { checkThatNothingIsLeft() }
    // They hold the world.
    people = []
    proxies = []
    return failure
  }

  private func shutDown() {
    note("shutdown")
    isDown = true
    control.shutDown()
  }

  /// The last games may end within their time. Nothing happens to people: they do as they like.
  private func drain() {
    note("drain")
    let end = now + (plan.settings.drain ?? .zero)
    drainsSince = now
    ledger.mayBegin = false
    let ended = ledger.endedGames
    control.drain { [unowned self] in
      let cut = ledger.runningGames
      if cut > 0, now != end { fail("the server goes down, but \(cut) games run") }
      sightings.noteDrain(ended: ledger.endedGames - ended, cut: cut)
      shutDown()
    }
    run(until: end) { isDown }
    if !isDown { fail("the server has not gone down, but its time is over") }
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
    do throws(Violation) { try ledger.endTurn(of: root, matches) } catch { fail(error.text) }
    if let drainsSince, !isDown, ledger.runningGames == 0 {
      // It goes down in the turn after that of the last end, at the same time.
      if now > max(drainsSince, ledger.lastEnd) { fail("no game runs, but the server goes on") }
    }
    guard let grace = plan.grace, grace >= .seconds(60) else { return }
    for name in ledger.abandoners where conduct[name]?.isSteady == true {
      fail("\(name) lost a game because it was away, but it had come back in time")
    }
  }

  private func checkThatNothingIsLeft() {
    if control.matchCount != 0 || !root.children.isEmpty { fail("a match is left") }
    if network.next != nil { fail("the network does not come to rest") }
    let connections = serverEnds.count { $0.end != nil }
    if connections != 0 { fail("\(connections) connections are left") }
    let sessions = ledger.livingSessions
    if !sessions.isEmpty { fail("sessions are left: \(sessions)") }
    guard !isDown else { return }
    let last = LastVisitor(connect("last"))
    endTurn()
    run(until: now + .seconds(60)) { false }
    if let complaint = last.complaint { fail(complaint) }
  }

  /// A client's end of a new connection.
  func connect(_ name: String) -> SimulatedConnection {
    let link = network.makeLink()
    conduct[name, default: Conduct()].openLinks += 1
    openLinks += 1
    let (client, server) = link.open()
    link.serverDidEnd = { [weak self, weak link] in
      guard let self, let link else { return }
      conduct[name, default: Conduct()].linkDidEnd(link.number, at: now)
      openLinks -= 1
      note("\(name)/\(link.number) is over for the server")
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

  func somebody(but name: String) -> String? {
    chance.pick((people.map(\.name) + proxies.map(\.name)).filter { $0 != name })
  }

  /// A match that goes on, or did.
  var someMatch: String? { chance.pick(ledger.matches.suffix(4)) }

  private var matches: MatchRegistry? { (control as? Server.RootInteractor)?.matches }

  func hasMatch(_ id: String) -> Bool { matches?[id] != nil }

  /// Whether a session of that name can be alive: one of its connections is, or was not long ago.
  func mayBeHere(_ name: String) -> Bool {
    guard let conduct = conduct[name] else { return false }
    let grace = plan.settings.resumeWithin ?? .zero
    let isLate = conduct.losses.last.map { now - $0 > grace + .seconds(6) } ?? true
    return conduct.openLinks > 1 || !isLate
  }

  /// Whether somebody of that name is logged in for certain.
  func isHere(_ name: String) -> Bool {
    conduct[name]?.wasThere(from: now - .seconds(60), to: now) == true
  }
}

private final class WorldDependency: Server.RootDependency {
  let games: GameRegistry
  let random: RandomSource
  let timers: any Timers
  let settings: ServerSettings
  let serverLog = ServerLog(.silent)

  init(
    games: GameRegistry, random: RandomSource, timers: any Timers, settings: ServerSettings
  ) {
    self.games = games
    self.random = random
    self.timers = timers
    self.settings = settings
  }
}
