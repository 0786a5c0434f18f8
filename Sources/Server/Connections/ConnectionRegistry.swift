import RIBs
import Shared

/// All connections of the server, and their common limits.
final class ConnectionRegistry {
  /// When a rejected client may try again.
  static let retry: Duration = .seconds(10)
  /// The maximum number of rejected connections that are still closing. Further ones are reset.
  static let maxRejected = 256
  /// How long a client may take to resume in a place that is kept for a lost player.
  static let resumeWithin: Duration = .seconds(10)
  /// The maximum number of connections beyond the limit, which are still closing because others
  /// have taken their places.
  static let maxReplaced = 32

  let lobby: Lobby
  let timers: any Timers
  private var limits: ConnectionLimits
  private let addresses: AddressRegistry
  /// A full bucket, of which each connection gets a copy.
  private var rate: TokenBucket?
  /// The greeting of all clients.
  private var helloLine: [UInt8]
  private let serverLog: ServerLog
  private let context: ConnectionContext
  private var connections = SlotList<ClientConnection>()
  /// The clients in places that are kept for lost players, in the order of their arrival.
  private var guests: [ClientConnection] = []
  private var handshakes = SlotList<ProxyHandshake>()
  /// The number of accepted connections whose descriptors are open.
  private var open = 0
  /// The number of rejected connections whose descriptors are open.
  private var rejected = 0
  private var unsentBytes = 0

  init(lobby: Lobby, timers: any Timers, settings: ServerSettings, serverLog: ServerLog) {
    self.lobby = lobby
    self.timers = timers
    self.serverLog = serverLog
    context = ConnectionContext(lobby: lobby, timers: timers, serverLog: serverLog)
    limits = settings.limits
    rate = settings.limits.rate
    addresses = AddressRegistry(settings.limits.address, timers: timers, serverLog: serverLog)
    helloLine = Self.helloLine(settings, lobby.games)
    timers.whenStalled { [weak self] stall in
      for client in self?.connections.elements ?? [] { client.makeUp(forStall: stall) }
    }
  }

  private static func helloLine(_ settings: ServerSettings, _ games: GameRegistry) -> [UInt8] {
    let hello = Event.hello(
      Hello(
        server: "tictactoe-server \(Version.current)",
        games: games.games.map { GameSummary($0.info) },
        limits: settings.announced,
        help: "Type: login YOURNAME, then: start bot. All commands: help"))
    var line: [UInt8] = []
    EventEncoder.append(hello, to: &line)
    return line
  }

  /// Takes up other limits. Those of all connections together and of addresses hold at once.
  /// Connections keep their own rates and time-outs, and no connection is closed.
  func apply(_ settings: ServerSettings) {
    limits = settings.limits
    rate = settings.limits.rate
    helloLine = Self.helloLine(settings, lobby.games)
    addresses.apply(settings.limits.address)
  }

  /// Accepts a new connection. If it is from a trusted proxy, its PROXY header comes first.
  func accept(_ connection: any Connection) {
    guard limits.proxies.contains(where: { $0.contains(connection.peerAddress.ip) }) else {
      return admit(connection)
    }
    let handshake = ProxyHandshake(connection, registry: self, timers: timers)
    handshake.index = handshakes.append(handshake)
  }

  /// Greets a client whose address is known, or rejects it if there is no room.
  func admit(_ connection: any Connection) {
    let ip = connection.peerAddress.ip
    let usage = addresses.usage(of: ip)
    if let ban = lobby.moderation.ban(of: ip) {
      return reject(connection, from: usage, with: lobby.bye(for: ban), because: .banned)
    }
    if let retry = lobby.others.retry {
      return reject(connection, from: usage, with: .bye(.full, retry: retry), because: .full)
    }
    guard usage.hasRoomForConnection else {
      return reject(connection, from: usage, because: .address)
    }
    let places = (limits.connections ?? .max) - open
    guard places > 0 || places > -Self.maxReplaced && replaceGuest(by: usage) else {
      return reject(connection, from: usage, because: .full)
    }
    serverLog.counters.connections.begin()
    let id = serverLog.counters.connections.total
    let isLogged = getsLogLine(.opened, by: usage)
    if isLogged {
      serverLog.log.write(
        .info, "connected",
        ["connection": .number(id), "from": .text(connection.peerAddress.description)])
    }
    let outlet = ClientOutlet(
      connection, id: id, isLogged: isLogged, usage: usage, timers: timers, serverLog: serverLog)
    // All places that are left belong to players who have lost their connections.
    let onlyResumes = places <= lobby.lostCount
    var limits = limits
    if onlyResumes {
      limits.loginWithin = min(limits.loginWithin ?? Self.resumeWithin, Self.resumeWithin)
    }
    let client = ClientConnection(
      connection, outlet: outlet, usage: openUsage(of: connection, usage), rate: rate,
      limits: limits, registry: self, context: context)
    client.onlyResumes = onlyResumes
    if onlyResumes { guests.append(client) }
    client.index = connections.append(client)
    let line = helloLine
    outlet.write(line: line.span, you: nil)
  }

  /// Strangers could hold all kept places, each for ten seconds. So a newcomer takes the place of
  /// the guest that has waited longest without resuming: of one from its own address, if there is
  /// any. Returns whether there was a guest.
  private func replaceGuest(by usage: AddressUsage) -> Bool {
    guard let guest = guests.first(where: { $0.usage.address === usage }) ?? guests.first else {
      return false
    }
    rejectNewcomer(guest)
    return true
  }

  /// A guest has resumed, or was closed.
  func removeGuest(_ client: ClientConnection) {
    client.onlyResumes = false
    guests.removeAll { $0 === client }
  }

  /// Counts a connection until its descriptor is closed.
  private func openUsage(
    of connection: any Connection, _ address: AddressUsage
  ) -> ConnectionUsage {
    open += 1
    address.addConnection()
    let usage = ConnectionUsage(address)
    connection.onClose = { [weak self] in
      self?.open -= 1
      self?.setUnsent(0, of: usage)
      address.removeConnection()
    }
    return usage
  }

  /// Counts the unsent bytes of a connection.
  ///
  /// - Returns: whether there are too many, for its address or for all connections together.
  @discardableResult
  func setUnsent(_ bytes: Int, of usage: ConnectionUsage) -> Bool {
    let more = bytes - usage.unsentBytes
    usage.unsentBytes = bytes
    usage.address.addUnsent(more)
    unsentBytes += more
    return unsentBytes > limits.unsentBytes ?? .max || usage.address.hasTooMuchUnsent
  }

  /// Sends a client `bye` and closes its connection. If many rejected connections are still
  /// closing, only resets it.
  private func reject(
    _ connection: any Connection, from usage: AddressUsage,
    with bye: @autoclosure () -> Event = .bye(.full, retry: ConnectionRegistry.retry),
    because reason: RejectionReason
  ) {
    serverLog.counters.rejected[reason, default: 0] += 1
    let code = reason == .banned ? ByeCode.banned : .full
    if getsLogLine(.rejected, by: usage) { logRejection(connection, because: code.rawValue) }
    guard rejected < Self.maxRejected, usage.hasRoomForRejected else { return connection.reset() }
    rejected += 1
    usage.addRejected()
    connection.onClose = { [weak self] in
      self?.rejected -= 1
      usage.removeRejected()
    }
    serverLog.counters.goodbyes[code, default: 0] += 1
    let lines = rejectionLines(bye())
    connection.send(lines.span)
    connection.close()
  }

  /// Sends away a client that has not resumed a session, in a place that is kept for those who do.
  func rejectNewcomer(_ client: ClientConnection) {
    serverLog.counters.rejected[.full, default: 0] += 1
    client.close(with: .bye(.full, retry: Self.retry))
  }

  /// Returns whether an event of a connection gets a log line of its own. If not, counts it.
  private func getsLogLine(_ event: AddressLog.Event, by usage: AddressUsage) -> Bool {
    if serverLog.log.shows(.debug) || usage.mayLogConnection(at: timers.now) { return true }
    usage.countInLog(event)
    return false
  }

  /// Closes a connection that never got a `ClientConnection`.
  func close(_ connection: any Connection, because reason: String) {
    serverLog.counters.rejected[.proxy, default: 0] += 1
    let usage = addresses.usage(of: connection.peerAddress.ip)
    if getsLogLine(.rejected, by: usage) { logRejection(connection, because: reason) }
    // No connection of the address is counted, so nothing else would make the registry check it
    // later.
    addresses.watch(usage)
    connection.close()
  }

  private func logRejection(_ connection: any Connection, because reason: String) {
    serverLog.log.write(
      .info, "rejected",
      ["from": .text(connection.peerAddress.description), "reason": .text(reason)])
  }

  /// The lines for a client for which there is no room.
  var rejectionLines: [UInt8] { rejectionLines(.bye(.full, retry: Self.retry)) }

  private func rejectionLines(_ bye: Event) -> [UInt8] {
    var lines = helloLine
    EventEncoder.append(bye, to: &lines)
    return lines
  }

  func remove(_ client: ClientConnection) {
    guard connections[client.index] === client else { return }
    if client.onlyResumes { removeGuest(client) }
    connections.remove(at: client.index) { $0.index = $1 }
    serverLog.counters.connections.end()
  }

  func remove(_ handshake: ProxyHandshake) {
    guard handshakes[handshake.index] === handshake else { return }
    handshakes.remove(at: handshake.index) { $0.index = $1 }
  }

  /// Closes the connections of banned addresses.
  ///
  /// - Returns: how many there were.
  func closeBanned() -> Int {
    var count = 0
    for client in connections.elements {
      guard let ban = lobby.moderation.ban(of: client.outlet.peerAddress.ip) else { continue }
      count += 1
      client.close(with: lobby.bye(for: ban))
    }
    return count
  }

  /// Closes all connections. First all clients get `bye`, then the sessions end, so that no client
  /// is informed about the end of another session.
  func closeAll(with bye: @autoclosure () -> Event) {
    for handshake in handshakes.elements { handshake.close(because: "shutdown") }
    let all = connections.elements
    for client in all { client.hangUp(with: bye()) }
    for client in all { client.endSession() }
  }

  /// Closes all connections whose sessions are not this server's any more. Output that still waits
  /// to be stored is not sent.
  func giveUpAll(with bye: () -> Event) {
    for client in connections.elements {
      client.outlet.session = nil
      client.outlet.dropHeldOutput()
      client.close(with: bye())
    }
  }
}

/// The counts of one connection for its address and the server, until its descriptor is closed.
/// Often that is later than the end of its `ClientConnection`.
final class ConnectionUsage {
  let address: AddressUsage
  /// The number of unsent bytes at the end of a turn.
  fileprivate(set) var unsentBytes = 0

  init(_ address: AddressUsage) {
    self.address = address
  }
}

extension GameSummary {
  init(_ info: GameInfo) {
    self.init(
      id: info.id, name: info.name, rows: info.shape.rows, columns: info.shape.columns,
      inARow: info.shape.inARow)
  }
}
