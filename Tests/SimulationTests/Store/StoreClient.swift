import TestSupport

@testable import Server
@testable import Shared

/// A player who does anything at any time, and remembers every line that has left the server.
final class StoreClient {
  let name: String
  private unowned let world: StoreWorld
  private var connection: MemoryConnection?
  private var tail: [UInt8] = []
  /// Lines on their way, each with the commit that it waits for.
  private var held: [(line: String, commit: Int)] = []
  private var isLoggedIn = false
  /// Whether it has tried to resume on this connection. Then it does not log in.
  private var hasResumed = false
  private var token: String?
  /// The last event of the current match.
  private var match: String?
  private var seq = 0
  /// All events that were told, by match and number.
  private var told: [String: [Int: String]] = [:]
  /// The passwords that the account may have, `nil` for none.
  private var passwords: [String?] = [nil]
  /// The connection was lost during a change, so nobody knows whether and when it is carried out.
  private var isUncertain = false
  /// The change that waits for its answer, and the password that it or a log-in was sent with.
  private var asked: Asked?
  private var used: String?
  /// What was known before the change.
  private var before: [String?] = []
  private var decoder = EventDecoder()

  private enum Asked {
    case register(String)
    case unregister

    var password: String? {
      switch self {
      case .register(let new): new
      case .unregister: nil
      }
    }
  }

  init(_ name: String, in world: StoreWorld) {
    self.name = name
    self.world = world
  }

  private var random: SeededRandom { world.random }

  func act() {
    guard connection != nil else { return connect() }
    guard isLoggedIn else { return logIn() }
    let opponent = "p\(random.int(1...5))"
    let cell = "\(random.int(0...5)) \(random.int(0...6))"
    let small = "\(random.int(0...2)) \(random.int(0...2))"
    let line = random.pick(weighted: [
      (30, "place \(small)"), (10, "place \(cell)"), (8, "start"), (6, "start \(opponent)"),
      (2, "start \"\" connect"), (3, "start bot"), (2, "resign"), (1, "leave"), (2, "cancel"),
      (1, "decline"), (4, "say hello"), (1, "list"), (1, "history"), (1, "leaderboard"),
      (3, "register"), (1, "unregister"), (1, "cut"),
    ])
    switch line {
    case "cut": cut()
    case "register": register()
    case "unregister": unregister()
    case let line?: send(line)
    case nil: break
    }
  }

  private func connect() {
    connection = world.server.connect()
    logIn()
  }

  private func logIn() {
    if let token, random.happens(percent: 80) {
      hasResumed = true
      send("resume \(token) \(seq)")
    } else {
      guard !hasResumed else { return }
      used = random.pick(passwords) ?? nil
      send("login \(name) \(used ?? "")")
    }
  }

  private func register() {
    guard asked == nil, !isUncertain else { return }
    let new = "password\(random.int(1...9))"
    ask(.register(new))
    let old = used.map { ",\"old\":\"\($0)\"" } ?? ""
    send("{\"type\":\"register\",\"id\":1,\"password\":\"\(new)\"\(old)}")
  }

  private func unregister() {
    guard asked == nil, !isUncertain else { return }
    ask(.unregister)
    if self.used == nil { self.used = "unregistered" }
    let used = used ?? ""
    send("{\"type\":\"unregister\",\"id\":1,\"password\":\"\(used)\"}")
  }

  private func ask(_ change: Asked) {
    used = random.pick(passwords) ?? nil
    asked = change
    before = passwords
    if !passwords.contains(change.password) { passwords.append(change.password) }
  }

  private func send(_ line: String) {
    connection?.send(Array("\(line)\n".utf8).span)
  }

  private func cut() {
    connection?.cut()
    connectionDidEnd()
  }

  func connectionDidEnd() {
    connection?.cut()
    connection = nil
    (isLoggedIn, hasResumed) = (false, false)
    if asked != nil { isUncertain = true }
    asked = nil
    held = []
    tail = []
  }

  /// Takes the lines that may leave now.
  func receive() throws(ViolationError) {
    guard let connection else { return }
    tail += connection.takeReceived()
    while let end = tail.firstIndex(of: UInt8(ascii: "\n")) {
      held.append((String(decoding: tail[..<end], as: UTF8.self), world.server.gate.committed))
      tail.removeFirst(end + 1)
    }
    while let first = held.first, world.server.gate.hasStored(first.commit) {
      held.removeFirst()
      try take(first.line)
    }
    if connection.hasPeerEnded { connectionDidEnd() }
  }

  private func take(_ line: String) throws(ViolationError) {
    let received: ReceivedEvent
    do throws(LineError) {
      received = try decoder.decode(Array(line.utf8).span)
    } catch {
      throw ViolationError("\(name) cannot read \(line)")
    }
    switch received.event {
    case .didLogin(_, let token, let place, let isRegistered):
      isLoggedIn = true
      self.token = token
      if place == nil || place == .lobby { (match, seq) = (nil, 0) }
      guard !isUncertain else { break }
      try require(
        passwords.contains { ($0 != nil) == isRegistered }, "\(name) is registered: \(isRegistered)"
      )
      if !isRegistered { passwords = [nil] } else if !hasResumed { passwords = [used] }
    case .didRegister, .didUnregister: try didChangeAccount(received.event)
    case .match(let event):
      try take(
        event, line.replacing("\"you\":\"X\",", with: "").replacing("\"you\":\"O\",", with: ""))
    case .matchSnapshot(let snapshot): (match, seq) = (snapshot.match, snapshot.seq)
    case .error(let code, _, _, _):
      if received.re != nil, asked != nil {
        // Nothing has changed.
        (passwords, asked) = (before, nil)
      }
      try take(code, line)
    case .bye: connectionDidEnd()
    default: break
    }
  }

  private func didChangeAccount(_ event: Event) throws(ViolationError) {
    switch (asked, event) {
    case (.register(let new), .didRegister): passwords = [new]
    case (.unregister, .didUnregister): passwords = [nil]
    default: throw ViolationError("\(name) did not ask for \(event)")
    }
    asked = nil
    world.count("changed accounts")
  }

  private func take(_ code: ErrorCode, _ line: String) throws(ViolationError) {
    switch code {
    case .unknownToken: (token, hasResumed) = (nil, false)
    case .wrongPassword where !isUncertain:
      passwords.removeAll { $0 == used }
      try require(!passwords.isEmpty, "\(name) has the password \(used ?? "of a guest"): \(line)")
    default: break
    }
  }

  private func take(_ event: MatchEvent, _ line: String) throws(ViolationError) {
    if let known = told[event.match]?[event.seq] {
      try require(known == line, "\(name) was told \(known), and now \(line)")
    }
    if event.match != match {
      // A match may have begun after the connection was lost, and `resume` has the `seq` of the
      // match before.
      try require(event.seq == 1 || hasResumed, "\(name) comes into a match with \(line)")
      if event.seq == 1 { try world.note(match: event.match, firstLine: line) }
    } else {
      try require(event.seq <= seq + 1, "\(name) misses events before \(line)")
    }
    (match, seq) = (event.match, max(event.match == match ? seq : 0, event.seq))
    told[event.match, default: [:]][event.seq] = line
    if case .matchDidEnd = event.body { (match, seq) = (nil, 0) }
    world.count("told events")
  }

  /// Checks what was told against what is stored. `mayLose` says that some of it may be gone.
  func check(after server: SimulatedServer, mayLose: Bool) throws(ViolationError) {
    var hasLost = false
    for (match, lines) in told {
      for seq in lines.keys.sorted() where server.events[match]?[seq] != lines[seq] {
        guard mayLose else {
          throw ViolationError(
            "\(name) was told \(lines[seq] ?? ""), but stored is"
              + " \(server.events[match]?[seq] ?? "nothing")")
        }
        world.count("lost events")
        hasLost = true
        told[match] = lines.filter { $0.key < seq }
        break
      }
    }
    try checkAccount(server.accounts[name])
    try resume(server, mayLose: mayLose, hasLost: hasLost)
  }

  private func checkAccount(_ stored: String?) throws(ViolationError) {
    let hashes = passwords.map { $0.flatMap { PlainPasswords().hash($0) } }
    guard let index = hashes.firstIndex(of: stored) else {
      throw ViolationError("the account of \(name) is \(stored ?? "gone"), not one of \(passwords)")
    }
    (passwords, isUncertain) = ([passwords[index]], false)
  }

  /// A player in a match that goes on can take up the session, with the last token that was told.
  private func resume(_ server: SimulatedServer, mayLose: Bool, hasLost: Bool)
    throws(ViolationError)
  {
    guard let match, let token, server.hasMatch(match) else {
      (self.match, seq) = (nil, 0)
      return
    }
    let connection = server.connect()
    self.connection = connection
    hasResumed = true
    connection.send(Array("resume \(token) \(seq)\n".utf8).span)
    server.network.run()
    tail = connection.takeReceived()
    let lines = tail.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    let answer = lines.dropFirst().first ?? "nothing"
    if mayLose, answer.contains("unknownToken") {
      // The token was told in the moments that are gone.
      (self.match, seq, self.token) = (nil, 0, nil)
      return
    }
    try require(
      answer.contains("\"place\":\"playing\""), "\(name) cannot resume in \(match): \(answer)")
    world.count("resumed")
    guard mayLose, hasLost else { return }
    // What was told may be gone, so the player gets the whole state.
    try require(
      lines.contains { $0.contains("matchSnapshot") },
      "after a loss of power \(name) gets no snapshot: \(lines)")
  }
}
