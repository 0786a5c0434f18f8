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
  static let network = IPNetwork(.loopback, prefix: 128)
  /// No way back may take longer, from the moment at which the server would serve the client. The
  /// client may wait for its own lost connection for 30 s, and 5 s between two attempts.
  static let limit = Duration.seconds(60)

  let place: Place
  let situation: Situation
  let account: Account
  let mode: OutageClient.Mode
  var failure: String?
  /// What the client came back to.
  private(set) var ending = ""
  let random: SeededRandom
  let disk: SimulatedDisk
  var server: SimulatedServer
  var starts = 0
  let folder: String
  let dataFolder: String
  let clock = ManualTimers()
  var client: OutageClient?
  var bob: LineClient?
  var connections: [FragileConnection] = []
  /// When the server learns that a connection has broken.
  var losses: [(connection: FragileConnection, at: Duration)] = []
  var isUnreachable = false
  var speaksOtherProtocol = false
  /// How many of the next connections break after a few steps of the network.
  var earlyBreaks = 0
  var stepsToBreak: Int?
  var thief: LineClient?
  /// Connections of a server that speaks another protocol.
  var strangers: [MemoryConnection] = []

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

  static func settings(connections: Int? = nil) -> ServerSettings {
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

  func fail(_ text: String) {
    failure = failure ?? "\(text) (\(description), at \(clock.now))\n\(client?.text ?? "")"
  }
}

/// Before the outage.
extension OutageWorld {
  func register() throws {
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

/// After the outage.
extension OutageWorld {
  func comeBack() throws {
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

  func answerForm() throws {
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
