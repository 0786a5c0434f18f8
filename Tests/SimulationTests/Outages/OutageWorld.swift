import Foundation
import TestSupport

@testable import Server
@testable import Shared

/// The real client and a real server, between which the connection is lost while all kinds of things
/// happen at the server. Within a limited time the client must play or list again, or show the form
/// with the reason; a login there must lead to a lobby that works. One seed determines every choice.
final class OutageWorld {
  /// Where the person is when the connection is lost.
  enum Place: CaseIterable {
    case lobby, waiting, open, watching, playing, betweenGames, replay
    case history, leaderboard, account
  }

  /// What has changed at the server when it can be reached again.
  enum Situation: CaseIterable {
    case nothing, nameTaken, nameRegistered, passwordChanged, addressBanned, nameBanned, full
    case shutdown, killed, emptied, otherProtocol
    /// The server starts without its data, and then again with them.
    case restored
  }

  /// How the client came to its session.
  enum Account: CaseIterable {
    case guest, password
    /// Resumed by its token, so that the client does not know the password.
    case token
  }

  static let password = "open sesame"
  /// All clients are in it.
  private static let network = IPNetwork(.loopback, prefix: 128)
  /// No way back may take longer, from the moment at which the server would serve the client. The
  /// client may wait for its own lost connection for 30 s, and 5 s between two attempts.
  static let limit = Duration.seconds(60)

  let place: Place
  let situation: Situation
  let account: Account
  let mode: OutageClient.Mode
  private(set) var failure: String?
  /// What the client came back to.
  private(set) var ending = ""
  private let random: SeededRandom
  private let disk: SimulatedDisk
  private var server: SimulatedServer
  private var starts = 0
  private let folder: String
  private let dataFolder: String
  private let clock = ManualTimers()
  private var client: OutageClient?
  private var bob: LineClient?
  private var connections: [FragileConnection] = []
  /// When the server learns that a connection has broken.
  private var losses: [(connection: FragileConnection, at: Duration)] = []
  private var isUnreachable = false
  private var speaksOtherProtocol = false
  /// How many of the next connections break after a few steps of the network.
  private var earlyBreaks = 0
  private var stepsToBreak: Int?
  private var thief: LineClient?
  /// Connections of a server that speaks another protocol.
  private var strangers: [MemoryConnection] = []

  init(_ situation: Situation, seed: UInt64) throws {
    let index = Situation.allCases.firstIndex(of: situation) ?? 0
    random = SeededRandom(seed: seed << 8 + UInt64(index))
    self.situation = situation
    mode = random.pick(weighted: [(3, .screen), (3, .lines), (1, .script)]) ?? .lines
    account = random.pick(mode == .script ? [.guest] : Account.allCases) ?? .guest
    place = random.pick(mode == .script ? [.lobby, .waiting, .playing] : Place.allCases) ?? .lobby
    disk = SimulatedDisk(seed: random.seed())
    folder = "\(Self.fastFolder)/tictactoe-outage-\(UUID().uuidString)"
    dataFolder = folder + "/data"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    server = try SimulatedServer(
      dataFolder, disk: disk, durability: .process, seed: random.seed(), start: 0)
    server.control.apply(Self.settings())
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private static let fastFolder =
    FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()

  private static func settings(connections: Int? = nil) -> ServerSettings {
    ServerSettings(
      limits: ConnectionLimits(loginWithin: .seconds(30), connections: connections),
      turn: .seconds(300))
  }

  var description: String { "\(mode), \(account), \(place), \(situation)" }

  func run() throws -> String? {
    try register()
    try logIn()
    if failure == nil, account == .token { try restartClient() }
    guard failure == nil else { return failure }
    try goToPlace()
    guard failure == nil else { return failure }
    try breakConnection()
    try comeBack()
    guard failure == nil, mode != .script || client?.view == .lobby || client?.view == .game else {
      return failure
    }
    try answerForm()
    if failure == nil, situation == .restored { try bringDataBack() }
    guard failure == nil else { return failure }
    guard mode != .script || client?.view == .lobby || client?.view == .game else { return nil }
    try useLobby()
    client = nil
    server.stop()
    return failure
  }

  private func fail(_ text: String) {
    failure = failure ?? "\(text) (\(description), at \(clock.now))\n\(client?.text ?? "")"
  }
}

/// Time and the network.
extension OutageWorld {
  private func turn(_ step: Duration = .milliseconds(100)) {
    moveBytes()
    // What a helper thread answers may send more.
    for _ in 0..<3 {
      server.journalWorker.runAll()
      server.otherWorker.runAll()
      server.endTurn()
      server.network.run()
      client?.settle()
    }
    clock.advance(by: step)
    server.clock.advance(by: step)
    let due = losses.filter { $0.at <= clock.now }
    losses.removeAll { $0.at <= clock.now }
    for loss in due { loss.connection.failAtServer() }
    client?.settle()
  }

  private func moveBytes() {
    if let steps = stepsToBreak {
      stepsToBreak = nil
      for _ in 0..<steps where server.network.step() {}
      breakLast()
    }
    server.network.run()
  }

  /// Turns until the condition holds, for a limited time. Returns whether it does.
  @discardableResult
  private func turn(for limit: Duration, until condition: () -> Bool) -> Bool {
    let end = clock.now + limit
    while !condition() {
      guard clock.now < end, failure == nil else { return false }
      turn()
    }
    return true
  }

  private func pass(_ time: Duration) { turn(for: time) { false } }

  private func connect() -> (any Connection)? {
    guard !isUnreachable else { return nil }
    guard !speaksOtherProtocol else { return connectToStranger() }
    let connection = FragileConnection(server.connect())
    connections.append(connection)
    if earlyBreaks > 0 {
      earlyBreaks -= 1
      stepsToBreak = random.int(0...8)
    }
    return connection
  }

  private func connectToStranger() -> any Connection {
    let (near, far) = server.network.connect()
    strangers.append(far)
    far.send(Array("{\"type\":\"hello\",\"protocol\":2}\n".utf8).span)
    return near
  }

  /// Breaks the client's connection. The server learns of it at once, or late.
  private func breakLast() {
    guard let connection = connections.last, !connection.isOver else { return }
    let delay =
      random.happens(percent: 50) ? .zero : random.duration(.seconds(1)...Duration.seconds(30))
    if delay == .zero {
      connection.failAtServer()
    } else {
      losses.append((connection, clock.now + delay))
    }
    connection.fail()
  }

  private func makeClient() -> OutageClient {
    OutageClient(
      mode, name: "ann", clock: clock, state: folder + "/state", seed: random.seed(),
      connect: { [unowned self] in connect() })
  }

  /// A player at a terminal with netcat, who says some lines. Each may need a helper thread.
  private func say(_ lines: [String], keeping line: LineClient? = nil) -> (LineClient, [String]) {
    let line = line ?? LineClient(server.connect(), on: server.network)
    var replies: [String] = []
    for text in lines {
      line.sendOnly(text)
      for _ in 0..<3 { turn(.milliseconds(10)) }
      replies += line.takeLines()
    }
    return (line, replies)
  }
}

/// Before the outage.
extension OutageWorld {
  private func register() throws {
    guard account != .guest else { return }
    let (line, replies) = say(["login ann", "register \"\(Self.password)\"", "quit"])
    if !replies.contains(where: { $0.contains("didRegister") }) { fail("no account: \(replies)") }
    line.end()
    turn()
  }

  private func logIn() throws {
    let client = makeClient()
    self.client = client
    turn(for: .seconds(5)) {
      client.view != .nothing && client.view != .form(asksForPassword: false)
    }
    if account != .guest {
      guard client.view == .form(asksForPassword: true) else { return fail("no question") }
      pass(.seconds(1))
      client.type(Self.password)
    }
    guard turn(for: .seconds(5), until: { client.view == .lobby }) else { return fail("no login") }
  }

  /// The client is killed in a match, and started again.
  private func restartClient() throws {
    client?.start(against: "bot")
    guard turn(for: .seconds(5), until: { self.client?.view == .game }) else {
      return fail("no game")
    }
    client = nil
    connections.last?.failAtServer()
    turn()
    let client = makeClient()
    self.client = client
    guard turn(for: .seconds(5), until: { client.view == .game }) else {
      return fail("no resumption")
    }
    client.leave()
    guard turn(for: .seconds(5), until: { client.view == .lobby && !client.isInMatch }) else {
      return fail("not left")
    }
    pass(.seconds(1))
  }

  private func goToPlace() throws {
    guard let client else { return }
    let (bob, replies) = say(["login bob"])
    self.bob = bob
    if replies.isEmpty { fail("bob is not there") }
    pass(.seconds(1))
    switch place {
    case .lobby: break
    case .waiting: client.start(against: nil)
    case .open: client.open()
    case .watching:
      let match = beginOther()
      client.watch(match)
      expect(.game)
    case .replay:
      let match = beginOther()
      _ = say(["leave"], keeping: bob)
      pass(.seconds(3))
      client.replay(match)
    case .playing, .betweenGames:
      _ = say(["start ann"], keeping: bob)
      client.start(against: "bob")
      expect(.game)
      if place == .betweenGames {
        _ = say(["resign"], keeping: bob)
        expect(.lobby)
      }
    case .history: client.openPart("h", "history")
    case .leaderboard: client.openPart("r", "leaderboard")
    case .account: client.openPart("p", "register")
    }
    pass(.milliseconds(600))
    client.forgetOutput()
  }

  private func expect(_ view: OutageClient.View) {
    guard let client else { return }
    if !turn(for: .seconds(5), until: { client.view == view }) { fail("not in \(view)") }
  }

  /// Begins a match of others, and returns its id.
  private func beginOther() -> String {
    let (_, replies) = say(["login carl", "start bob"])
    _ = replies
    let (_, started) = say(["start carl"], keeping: bob)
    let start = started.first { $0.contains("gameDidStart") }
    return start?.firstMatch(of: /"match":"([^"]*)"/).map { String($0.1) } ?? "none"
  }
}

/// The outage.
extension OutageWorld {
  private func breakConnection() throws {
    if situation == .shutdown {
      server.control.shutDown()
      turn()
    }
    breakLast()
    isUnreachable = true
    try change()
    var outage = random.pick([Duration.zero, .seconds(1), .seconds(8), .seconds(100)]) ?? .zero
    if needsLostSession { outage = max(outage, .seconds(100)) }
    // Nothing but the clients' timers happens meanwhile.
    for _ in 0..<Int(outage / .seconds(1)) { turn(.seconds(1)) }
    takeName()
    isUnreachable = false
    earlyBreaks = random.pick([0, 0, 1, 2]) ?? 0
  }

  /// Whether the session of a match has to end first.
  private var needsLostSession: Bool {
    [.nameTaken, .nameRegistered, .passwordChanged].contains(situation)
  }

  private func change() throws {
    let lobby = (server.control as? RootInteractor)?.lobby
    switch situation {
    case .addressBanned:
      lobby?.moderation.ban(.network(Self.network), Term(end: nil))
    case .nameBanned:
      if let name = try? PlayerName("ann") { lobby?.moderation.ban(.name(name), Term(end: nil)) }
    case .full:
      server.control.apply(Self.settings(connections: 0))
    case .shutdown, .killed: try restartServer(in: dataFolder)
    case .emptied, .restored: try restartServer(in: emptyFolder)
    case .otherProtocol: speaksOtherProtocol = true
    case .nothing, .nameTaken, .nameRegistered, .passwordChanged: break
    }
  }

  private var emptyFolder: String { folder + "/empty" }

  private func restartServer(in dataFolder: String) throws {
    connections.forEach { $0.failAtServer() }
    server.stop()
    starts += 1
    server = try SimulatedServer(
      dataFolder, disk: disk, durability: .process, seed: random.seed(), start: starts)
    server.control.apply(Self.settings())
    bob = nil
  }

  /// The server starts again with its first data, whatever the client does at the moment.
  private func bringDataBack() throws {
    guard let client else { return }
    if client.view == .lobby, random.happens(percent: 50) { client.start(against: "bot") }
    pass(random.pick([.milliseconds(100), .seconds(2), .seconds(20)]) ?? .zero)
    breakLast()
    isUnreachable = true
    try restartServer(in: dataFolder)
    let outage = random.pick([Duration.zero, .seconds(1), .seconds(8), .seconds(100)]) ?? .zero
    for _ in 0..<Int(outage / .seconds(1)) { turn(.seconds(1)) }
    isUnreachable = false
    earlyBreaks = random.pick([0, 0, 1]) ?? 0
    client.forgetOutput()
    try comeBack()
    if client.text.contains("Somebody else") { fail("nobody else was there") }
    guard failure == nil else { return }
    try answerForm()
  }

  /// Others log in under the name, if the session is over.
  private func takeName() {
    switch situation {
    case .nameTaken:
      thief =
        say([account == .guest ? "login ann" : "login ann \"\(Self.password)\""]).0
    case .nameRegistered where account == .guest:
      thief = say(["login ann", "register \"somebody else\"", "quit"]).0
    case .passwordChanged where account != .guest:
      let change = "register \"close sesame\" \"\(Self.password)\""
      _ = say(["login ann \"\(Self.password)\"", change, "quit"])
    default: break
    }
  }
}

/// After the outage.
extension OutageWorld {
  private func comeBack() throws {
    guard let client else { return }
    if situation == .full {
      pass(random.duration(.seconds(1)...Duration.seconds(20)))
      server.control.apply(Self.settings())
    }
    var works = false
    let isBack = turn(for: Self.limit) {
      if case .form = client.view { return true }
      if case .ended = client.view { return true }
      client.list { works = works || $0 }
      return works
    }
    guard isBack else { return fail("the client neither works nor shows the form") }
    switch client.view {
    case .form(let asksForPassword):
      ending = "form"
      try checkForm(asksForPassword: asksForPassword)
    case .ended(let sentence):
      ending = "end"
      if mode != .script { fail("the client has ended: \(sentence ?? "")") }
      if sentence?.contains(/[.?]$/) != true { fail("no reason: \(sentence ?? "")") }
    case .lobby, .game: ending = "works"
    case .nothing: fail("nothing is shown")
    }
  }

  private func checkForm(asksForPassword: Bool) throws {
    guard let client else { return }
    // Meant for the screen before.
    for key in "xqy" { client.press(key) }
    let text = client.text.split { $0.isWhitespace }.joined(separator: " ")
    for key in "xqy" where text.contains("ann\(key)") { fail("a stray key is in the name") }
    if text.contains("login NAME") { fail("the form speaks to people with netcat") }
    let reasons = [
      "Somebody else has the name", "is in use, perhaps", "perhaps by your own lost connection",
      "is registered. Type", "has registered", "has changed", "banned", "not a tictactoe-server",
      "closed the connection",
    ]
    if !reasons.contains(where: text.contains) { fail("the form gives no reason") }
    let needs = ["is registered. Type", "has registered", "has changed", "is in use, perhaps"]
      .contains(where: text.contains)
    if needs != asksForPassword { fail("the form asks for a password: \(asksForPassword)") }
    pass(.milliseconds(600))
  }

  private var knownPassword: String {
    situation == .passwordChanged ? "close sesame" : Self.password
  }

  private func answerForm() throws {
    guard let client else { return }
    let lobby = (server.control as? RootInteractor)?.lobby
    if situation == .addressBanned {
      lobby?.moderation.unban(.network(Self.network))
    }
    speaksOtherProtocol = false
    for round in 0..<4 {
      guard case .form(let asksForPassword) = client.view else { return }
      client.forgetOutput()
      let wantsOther =
        [.nameTaken, .nameBanned].contains(situation) || round > 1
        || situation == .nameRegistered && account == .guest
      if asksForPassword, !wantsOther {
        client.type(knownPassword)
      } else {
        client.goToName(insteadOfPassword: asksForPassword)
        client.type(wantsOther ? "ann\(round + 2)" : "ann")
      }
      turn(for: .seconds(20)) { client.view == .lobby || client.view == .game }
      pass(.seconds(1))
    }
    if case .form = client.view { fail("the form accepts nothing") }
  }

  /// The lobby lists, and a game can be played to its second mark.
  private func useLobby() throws {
    guard let client else { return }
    client.closeReplay()
    client.cancel()
    pass(.seconds(1))
    if client.isInMatch || client.view == .game { client.leave() }
    guard turn(for: .seconds(10), until: { client.view == .lobby && !client.isInMatch }) else {
      return fail("the match cannot be left")
    }
    pass(.seconds(1))
    var lists = false
    client.list { lists = $0 }
    guard turn(for: .seconds(5), until: { lists }) else { return fail("the lobby does not list") }
    client.start(against: "bot")
    guard turn(for: .seconds(5), until: { client.view == .game }) else {
      return fail("no game starts")
    }
    pass(.seconds(1))
    _ = client.move()
    guard turn(for: .seconds(5), until: { (client.move() ?? 0) > 0 }) else {
      return fail("no mark is placed")
    }
  }
}
