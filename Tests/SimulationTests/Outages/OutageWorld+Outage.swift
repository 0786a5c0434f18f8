import TestSupport

@testable import Server
@testable import Shared

/// The outage.
extension OutageWorld {
  func breakConnection() throws {
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
      // With a place or two, those of lost players are kept for them.
      server.control.apply(Self.settings(connections: random.int(0...2)))
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
  func bringDataBack() throws {
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
    if client.text.contains("contradict") { fail("nothing was contradictory") }
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
