package import Shared

/// A player who plays one named opponent, game after game, and reconnects after every loss. Its
/// moves are random. It checks that each line follows from those before it.
package final class ResumingPlayer {
  /// How often things have happened.
  package struct Counts {
    package var connections = 0
    package var resumes = 0
    package var snapshots = 0
    package var takeovers = 0
    package var moves = 0
    package var stale = 0
    package var matches = 0
  }

  package let name: String
  /// The longest time before a move.
  package var maxThinkingTime: Duration = .zero
  /// How long to wait before a refused command is sent again.
  package var retryDelay: Duration = .milliseconds(5)
  /// Whether to ask for a game now. Called again after `retryDelay` while it returns `false`.
  package var mayStart: () -> Bool = { true }
  /// Whether to leave a match whose games are over, and begin another.
  package var repeatsMatches = false
  package private(set) var tracker: MatchTracker?
  package private(set) var counts = Counts()
  /// Errors that must not happen; empty is a pass.
  package private(set) var faults: [String] = []
  /// Whether it is logged in on an open connection.
  package private(set) var isOnline = false
  /// Whether it has asked for a game or a rematch, and the opponent has not.
  package private(set) var isWaiting = false
  private let loop: EventLoop
  private let port: UInt16
  private let opponent: String
  private let games: Int
  private var random: SeededGenerator
  private var client: WireClient?
  /// Connections that were taken over, until the server has closed them.
  private var old: [ObjectIdentifier: WireClient] = [:]
  private var token: String?
  private var isMoving = false
  private var hasLostState = false
  private var isStopped = false

  /// Plays `games` games.
  package init(
    _ name: String, against opponent: String, games: Int, loop: EventLoop, port: UInt16,
    seed: UInt64
  ) {
    self.name = name
    self.opponent = opponent
    self.games = games
    self.loop = loop
    self.port = port
    random = SeededGenerator(seed: seed)
    connect()
  }

  /// Whether all games are over and the connection is open.
  package var isDone: Bool {
    guard let tracker else { return false }
    return isOnline && tracker.isOver && tracker.gamesEnded >= games
  }

  /// Whether it has quit and all its connections are over.
  package var hasGone: Bool { isStopped && client == nil && old.isEmpty }

  package var isReading: Bool {
    get { client?.isReading ?? true }
    set { client?.isReading = newValue }
  }

  /// Loses the connection, and reconnects after a time. With `losingState` it then has no `seq` to
  /// resume from.
  package func lose(_ cut: WireClient.Cut, for time: Duration, losingState: Bool) {
    guard !isStopped else { return }
    hasLostState = losingState
    client?.cut(cut)
    connectionDidEnd(reconnectingAfter: time)
  }

  /// Takes over its own session on a second connection.
  package func takeOver() {
    guard isOnline, let client, token != nil else { return }
    client.onEvent = { [weak self] event in
      if case .bye(.takenOver, _, _, _) = event { self?.counts.takeovers += 1 }
    }
    let key = ObjectIdentifier(client)
    client.isReading = true
    client.onEnd = { [weak self] in self?.old[key] = nil }
    old[key] = client
    connect()
  }

  /// Quits, and does not reconnect.
  package func quit() {
    isStopped = true
    isReading = true
    client?.send(.quit)
    // So a second connection that is being opened takes nothing over.
    for client in old.values { client.send(.quit) }
  }

  private func connect() {
    guard !isStopped else { return }
    isOnline = false
    isMoving = false
    isWaiting = false
    counts.connections += 1
    let client = WireClient(loop: loop, port: port)
    self.client = client
    client.onEvent = { [weak self] event in self?.take(event) }
    client.onEnd = { [weak self] in self?.connectionDidEnd(reconnectingAfter: .milliseconds(2)) }
  }

  private func connectionDidEnd(reconnectingAfter time: Duration) {
    client = nil
    isOnline = false
    loop.schedule(after: time) { [weak self] in
      guard let self, client == nil else { return }
      connect()
    }
  }

  private func take(_ event: Event?) {
    guard let event else { return faults.append("\(name) cannot decode a line.") }
    switch event {
    case .hello where isStopped: client?.send(.quit)
    case .hello: logIn()
    case .didLogin(_, let token, let place, _):
      if self.token != nil, place != nil { counts.resumes += 1 }
      self.token = token
      isOnline = true
      hasLostState = false
      guard !isStopped else { return send(.quit) }
      guard place != .playing else { return }
      tracker = nil
      startAgain()
    case .match(let event): take(event)
    case .matchSnapshot(let snapshot):
      counts.snapshots += 1
      take { tracker throws(MatchTracker.TrackingError) in
        guard try tracker?.take(snapshot) == nil else { return }
        tracker = MatchTracker(snapshot)
      }
      act()
    case .error(let code, _, let field, let retry): take(code, of: field, retry: retry)
    case .didQueue: isWaiting = true
    case .didCancel:
      isWaiting = false
      after(retryDelay) { $0.startAgain() }
    case .bye, .invited, .invitationDidEnd, .spectatorsDidChange: break
    default: faults.append("\(name) received \(event).")
    }
  }

  private func logIn() {
    if let token {
      client?.send(.resume(token: token, seq: hasLostState ? nil : tracker?.seq))
    } else {
      client?.send(.login(name: name, password: nil))
    }
  }

  private func take(_ event: MatchEvent) {
    if case .boardDidChange = event.body { isMoving = false }
    if case .gameDidStart = event.body { isWaiting = false }
    if case .matchDidEnd = event.body {
      take { tracker throws(MatchTracker.TrackingError) in try tracker?.take(event) }
      tracker = nil
      return after(retryDelay) { $0.startAgain() }
    }
    take { tracker throws(MatchTracker.TrackingError) in
      guard try tracker?.take(event) == nil else { return }
      tracker = try MatchTracker(event)
      counts.matches += 1
    }
    act()
  }

  private func take(
    _ change: (inout MatchTracker?) throws(MatchTracker.TrackingError) -> Void
  ) {
    do throws(MatchTracker.TrackingError) {
      try change(&tracker)
    } catch {
      faults.append("\(name): \(error)")
    }
  }

  private func take(_ code: ErrorCode, of field: String?, retry: Duration?) {
    switch code {
    case .unknownToken:
      client?.send(.login(name: name, password: nil))
    case .nameTaken:
      // The server has not noticed the loss of the old connection yet.
      after(retryDelay) { $0.logIn() }
    case .unknownPlayer, .inMatch, .full:
      after(retryDelay) { $0.startAgain() }
    case .stale:
      counts.stale += 1
      isMoving = false
      act()
    case .tooFast:
      after(retry ?? .seconds(1)) {
        $0.isMoving = false
        $0.startAgain()
        $0.act()
      }
    case .alreadyWaiting: break
    // The opponent has resigned in the meantime.
    case .noGame: isMoving = false
    // The opponent has left or lost its place in the meantime.
    case .notInMatch where repeatsMatches: isMoving = false
    default: faults.append("\(name) is refused: \(code).")
    }
  }

  private func startAgain() {
    guard isOnline, tracker == nil else { return }
    guard mayStart() else { return after(retryDelay) { $0.startAgain() } }
    send(.start(opponent: opponent, game: nil))
  }

  /// Moves, asks for a rematch or leaves, if it is this player's turn to act.
  private func act() {
    guard let tracker, !isMoving else { return }
    if tracker.isOver {
      guard tracker.gamesEnded < games else { return repeatsMatches ? send(.leave) : () }
      guard mayStart() else { return after(retryDelay) { $0.act() } }
      return send(.start(opponent: nil, game: nil))
    }
    guard tracker.board.turn == tracker.you else { return }
    isMoving = true
    let connections = counts.connections
    let longest = max(0, maxThinkingTime.milliseconds)
    after(.milliseconds(longest == 0 ? 0 : Int.random(in: 0...longest, using: &random))) {
      // A newer connection acts by itself.
      if $0.counts.connections == connections { $0.move() }
    }
  }

  private func move() {
    guard let tracker, !tracker.isOver, tracker.board.turn == tracker.you,
      let cell = tracker.board.freeCells.randomElement(using: &random)
    else { return isMoving = false }
    counts.moves += 1
    send(.place(cell, seq: tracker.seq))
  }

  private func send(_ command: Command) { client?.send(command) }

  private func after(_ time: Duration, _ action: @escaping (ResumingPlayer) -> Void) {
    if time == .zero { return action(self) }
    loop.schedule(after: time) { [weak self] in
      guard let self, !isStopped else { return }
      action(self)
    }
  }
}
