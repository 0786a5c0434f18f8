import Shared

/// All connections of the server.
final class Clients {
  /// When who is turned away may try again.
  static let retry: Duration = .seconds(10)

  private let lobby: Lobby
  private let timers: any Timers
  private let limits: ConnectionLimits
  /// Nobody's yet: each connection has a copy.
  private let rate: LineRate?
  /// What all are greeted with.
  private let helloLine: [UInt8]
  private let journal: Journal
  private let decoder = CommandDecoder()
  private var connections = SlotList<ClientConnection>()
  private var arrivals = SlotList<ProxyArrival>()
  /// How many connections each party has.
  private var parties: [IPAddress: Int] = [:]

  init(lobby: Lobby, timers: any Timers, settings: ServerSettings, journal: Journal) {
    self.lobby = lobby
    self.timers = timers
    self.journal = journal
    limits = settings.limits
    rate = settings.limits.rate
    let hello = Event.hello(
      Hello(
        server: "tictactoe-server \(Version.current)",
        games: lobby.games.games.map { ListedGame($0.info) },
        limits: settings.announced,
        help: "Type: login YOURNAME, then: start bot. All commands: help"))
    var line: [UInt8] = []
    EventEncoder.append(hello, to: &line)
    helloLine = line
    timers.whenStalled { [weak self] in self?.makeUp(forStall: $0) }
  }

  /// Takes a new connection in.
  func accept(_ connection: any Connection) {
    guard limits.proxies.contains(where: { $0.contains(connection.peerAddress.ip) }) else {
      return admit(connection)
    }
    let arrival = ProxyArrival(connection, clients: self, timers: timers)
    arrival.position = arrivals.append(arrival)
  }

  /// Greets a client whose address is known, and turns it away if there is no room.
  func admit(_ connection: any Connection) {
    let party = connection.peerAddress.ip.party
    guard connections.count < limits.connections ?? .max,
      Self.countOneMore(&parties[party, default: 0], atMost: limits.perAddress ?? .max)
    else {
      let farewell = farewellLines
      connection.send(farewell.span)
      return turnAway(connection, because: "full")
    }
    journal.counters.connections.begin()
    let id = journal.counters.connections.total
    journal.log.write(
      .info, "connected",
      ["connection": .number(id), "from": .text(connection.peerAddress.description)])
    let client = ClientConnection(
      connection: connection, id: id, clients: self, lobby: lobby, decoder: decoder, timers: timers,
      limits: limits, rate: rate, journal: journal)
    client.position = connections.append(client)
    let line = helloLine
    client.write(line: line.span, you: nil)
  }

  /// The rates granted lines for the time of the stall in advance.
  private func makeUp(forStall stall: Duration) {
    for client in connections.elements { client.rate?.makeUp(forStall: stall) }
  }

  // In the one place of the dictionary that was looked for.
  private static func countOneMore(_ count: inout Int, atMost most: Int) -> Bool {
    guard count < most else { return false }
    count += 1
    return true
  }

  /// Closes a connection that never was a client's.
  func turnAway(_ connection: any Connection, because reason: String) {
    journal.log.write(
      .info, "turnedAway",
      ["from": .text(connection.peerAddress.description), "reason": .text(reason)])
    connection.close()
  }

  /// All that is said to who is turned away.
  var farewellLines: [UInt8] {
    var lines = helloLine
    EventEncoder.append(.bye(.full, retry: Self.retry.milliseconds), to: &lines)
    return lines
  }

  func remove(_ client: ClientConnection) {
    guard connections[client.position] === client else { return }
    connections.remove(at: client.position) { $0.position = $1 }
    let party = client.peerAddress.ip.party
    let left = parties[party, default: 0] - 1
    parties[party] = left > 0 ? left : nil
    journal.counters.connections.end()
  }

  func remove(_ arrival: ProxyArrival) {
    guard arrivals[arrival.position] === arrival else { return }
    arrivals.remove(at: arrival.position) { $0.position = $1 }
  }

  /// Says goodbye to all before any session ends, so that nobody is told of the others' ends.
  func closeAll(with bye: Event) {
    for arrival in arrivals.elements { arrival.close(because: "shutdown") }
    let all = connections.elements
    for client in all { client.hangUp(with: bye) }
    for client in all { client.endSession() }
  }
}

extension ListedGame {
  init(_ info: GameInfo) {
    self.init(
      id: info.id, name: info.name, rows: info.shape.rows, columns: info.shape.columns,
      inARow: info.shape.inARow)
  }
}
