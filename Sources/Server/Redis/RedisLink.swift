import Shared

/// Keeps a connection to the primary of an engine. It finds the primary, by its Sentinels if there
/// are any, checks its role, asks all Sentinels whether it stays the primary, and connects again
/// whenever the connection ends.
final class RedisLink {
  typealias Connect = RedisConnector.Connect

  /// How long one host may take to accept a connection, and then for the handshake of TLS.
  static let connectTimeout: Duration = .milliseconds(500)
  /// The delay before a further attempt; it doubles from the first up to the last.
  static let firstDelay: Duration = .milliseconds(10)
  static let lastDelay: Duration = .milliseconds(500)
  /// The delay while the Sentinels are about to name another primary.
  static let failoverDelay: Duration = .milliseconds(100)
  /// How long a connection must last, so that the next attempt begins with `firstDelay` again: an
  /// engine without its replicas refuses the first write of each connection.
  static let steadyTime: Duration = .seconds(2)

  /// Called for each new connection. What is sent in this call goes over it first.
  var onConnect: () -> Void = {}
  /// Called when a connection to the primary has ended, and when an attempt has failed, with a
  /// reason for people.
  var onDisconnect: (_ reason: String) -> Void = { _ in }
  /// How long the primary may be silent before the Sentinels replace it, as the last one that was
  /// asked has it; `nil` without Sentinels.
  private(set) var downAfter: Duration?
  /// The host of the last connection.
  private(set) var primary: RedisAddress.Place?
  private let address: RedisAddress
  private let replicas: Int
  private let loop: EventLoop
  private let random: RandomSource
  private let connector: RedisConnector
  private var state = State.stopped
  /// While the Sentinels are asked about a primary that has just been connected to.
  private var inquiry: PrimaryInquiry?
  private var failures = 0
  /// When the last connection was made, by the loop's clock.
  private var connectTime: Duration = .zero
  /// The Sentinel that is asked next.
  private var sentinel = 0

  private enum State {
    case stopped
    /// Until the next attempt.
    case pausing(LoopTimer)
    case connecting(cancel: () -> Void)
    /// The connection is asked for the primary, or for its role.
    case opening(RedisConnection)
    case connected(RedisConnection)
  }

  /// `replicas` have to confirm what is written durably; 0 means that none is asked. Without
  /// `connect` it connects over TCP.
  init(
    _ address: RedisAddress, replicas: Int, loop: EventLoop, random: RandomSource,
    connect: Connect? = nil
  ) {
    self.address = address
    connector = RedisConnector(
      address, timers: loop,
      connect: connect ?? { [unowned loop] place, completion in
        Connector(
          loop: loop, host: place.host, port: place.port, limit: Self.connectTimeout,
          completion: completion
        ).cancel
      })
    self.replicas = replicas
    self.loop = loop
    self.random = random
  }

  deinit { stop() }

  /// Begins to connect.
  func start() {
    guard case .stopped = state else { return }
    attempt()
  }

  /// Ends the connection, and makes no other. Neither `onConnect` nor `onDisconnect` is called.
  func stop() {
    switch state {
    case .stopped: return
    case .pausing(let timer): timer.cancel()
    case .connecting(let cancel): cancel()
    case .opening(let connection), .connected(let connection): connection.close()
    }
    state = .stopped
    inquiry = nil
  }

  private func attempt() {
    switch address.kind {
    case .single(let place): connect(to: place) { [weak self] in self?.open($0, at: place) }
    case .sentinels(let places, let name):
      let place = places[sentinel % places.count]
      connect(to: place) { [weak self] in self?.ask($0, for: name) }
    }
  }

  private func connect(
    to place: RedisAddress.Place, then next: @escaping (RedisConnection) -> Void
  ) {
    let cancel = connector.connect(to: place) { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let failure): retry(because: failure.reason)
      case .success(let stream):
        let connection = RedisConnection(stream, replicas: replicas, timers: loop)
        let secured = stream as? TLSConnection
        connection.onEnd = { [weak self] reason in
          let failure = secured?.error.map { RedisConnector.Failure($0, at: place) }
          self?.retry(because: failure?.reason ?? "\(place): \(reason)")
        }
        state = .opening(connection)
        next(connection)
      }
    }
    state = .connecting(cancel: cancel)
  }

  /// Asks a Sentinel for the primary, and connects to it.
  private func ask(_ connection: RedisConnection, for name: String) {
    let commands = PrimaryInquiry.commands(for: name, address.sentinelLogin)
    connection.send(commands, confirmed: .never) { [weak self] replies in
      guard let self, let replies else { return }
      connection.close()
      for case .error(let text) in replies where Self.isLoginRefusal(text) {
        return retry(because: Self.sentinelRefusal + text)
      }
      let answers = Array(replies.suffix(2))
      if case .error(let text) = answers[0] {
        return retry(because: "a Sentinel does not tell the primary: \(text)")
      }
      downAfter = answers[1].fields?["down-after-milliseconds"]
        .flatMap { Int($0) }.map { .milliseconds($0) }
      guard let place = PrimaryInquiry.Opinion(answers)?.primary else {
        return retry(because: "a Sentinel knows no primary with the name \(name)")
      }
      connect(to: place) { [weak self] in self?.open($0, at: place) }
    }
  }

  /// Logs in, and checks that this is the primary.
  private func open(_ connection: RedisConnection, at place: RedisAddress.Place) {
    var commands = RedisCommands()
    if let login = address.login { commands.add(login.command) }
    if address.database > 0 { commands.add("SELECT", String(address.database)) }
    commands.add("ROLE")
    connection.send(commands, confirmed: .never) { [weak self] replies in
      guard let self, let replies else { return }
      for case .error(let text) in replies {
        connection.close()
        return retry(because: text)
      }
      guard replies.last?.elements?.first?.text == "master" else {
        connection.close()
        return retry(because: "the engine is a replica, not the primary")
      }
      primary = place
      guard case .sentinels(let sentinels, let name) = address.kind else {
        return use(connection)
      }
      // Now that it has answered, so that the Sentinels know of a failover that began before.
      inquiry = PrimaryInquiry(
        about: place, named: name, of: sentinels, address.sentinelLogin, timers: loop,
        connect: connector.connect
      ) { [weak self] objection in
        guard let self else { return }
        inquiry = nil
        guard let objection else { return use(connection) }
        connection.close()
        retry(because: "\(place): \(objection)", isSoon: true)
      }
    }
  }

  private func use(_ connection: RedisConnection) {
    connectTime = loop.now
    state = .connected(connection)
    onConnect()
  }

  /// `isSoon` while there is another primary within moments.
  private func retry(because reason: String, isSoon: Bool = false) {
    if case .stopped = state { return }
    inquiry = nil
    if case .connected = state, loop.now - connectTime >= Self.steadyTime { failures = 0 }
    let longest =
      isSoon
      ? Self.failoverDelay : min(Self.firstDelay * (1 << min(failures, 6)), Self.lastDelay)
    // With jitter, so that the nodes do not all come at once.
    let delay = longest * (0.5 + Double(random.next() >> 11) / Double(1 << 54))
    if !isSoon { failures += 1 }
    sentinel += 1
    state = .pausing(loop.schedule(after: delay) { [weak self] in self?.attempt() })
    onDisconnect(reason)
  }
}

extension RedisLink: Redis {
  var isConnected: Bool {
    if case .connected = state { true } else { false }
  }

  func reconnect() {
    switch state {
    case .stopped, .pausing: return
    case .connecting(let cancel): cancel()
    case .opening(let connection), .connected(let connection): connection.close()
    }
    retry(because: "the primary may have been replaced")
  }

  /// The number of commands that the engine has not answered.
  var pendingCount: Int {
    if case .connected(let connection) = state { connection.pendingCount } else { 0 }
  }

  func send(
    _ commands: RedisCommands, confirmed: Replication, answer: @escaping ([RedisReply]?) -> Void
  ) {
    guard case .connected(let connection) = state else {
      loop.schedule(after: .zero) { answer(nil) }
      return
    }
    connection.send(commands, confirmed: confirmed, answer: answer)
  }
}
