package import Shared

/// A person who plays one named opponent, game after game, and comes back whatever becomes of the
/// connection. Moves are random, and everything that is told is checked.
package final class ResumingPlayer {
  /// What has happened to one so far.
  package struct Tally {
    package var connections = 0
    package var resumes = 0
    package var snapshots = 0
    package var takeovers = 0
    package var moves = 0
    package var stale = 0
    package var matches = 0
  }

  package let name: String
  /// How long a move is thought about, at most.
  package var thinking: Duration = .zero
  /// How long to wait before something is asked again that was refused.
  package var patience: Duration = .milliseconds(5)
  /// Whether to ask for a game now; asked again and again until that is so.
  package var mayStart: () -> Bool = { true }
  /// Ends a match whose games are over, and begins the next.
  package var goesOn = false
  package private(set) var followed: FollowedMatch?
  package private(set) var tally = Tally()
  /// What should never have happened.
  package private(set) var faults: [String] = []
  /// Whether a session is on, on a connection that is there.
  package private(set) var isOnline = false
  /// It has asked for a game, or for the next one, and the opponent has not.
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
  private var hasForgotten = false
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

  /// All games are over, and the connection is there.
  package var isDone: Bool {
    guard let followed else { return false }
    return isOnline && followed.isOver && followed.gamesEnded >= games
  }

  /// It has left for good, and no connection of its is left.
  package var hasGone: Bool { isStopped && client == nil && old.isEmpty }

  package var isReading: Bool {
    get { client?.isReading ?? true }
    set { client?.isReading = newValue }
  }

  /// Loses the connection, and comes back after a time; perhaps without knowing what has been.
  package func lose(_ cut: WireClient.Cut, for time: Duration, forgetting: Bool) {
    guard !isStopped else { return }
    hasForgotten = forgetting
    client?.cut(cut)
    connectionDidEnd(comeBackIn: time)
  }

  /// Takes the session over on a second connection.
  package func takeOver() {
    guard isOnline, let client, token != nil else { return }
    client.onEvent = { [weak self] event in
      if case .bye(.takenOver, _, _) = event { self?.tally.takeovers += 1 }
    }
    let key = ObjectIdentifier(client)
    client.isReading = true
    client.onEnd = { [weak self] in self?.old[key] = nil }
    old[key] = client
    connect()
  }

  /// Leaves for good, in peace.
  package func quit() {
    isStopped = true
    isReading = true
    client?.send(.quit)
    // A second connection that is under way takes nothing over any more.
    for client in old.values { client.send(.quit) }
  }

  private func connect() {
    guard !isStopped else { return }
    isOnline = false
    isMoving = false
    isWaiting = false
    tally.connections += 1
    let client = WireClient(loop: loop, port: port)
    self.client = client
    client.onEvent = { [weak self] event in self?.take(event) }
    client.onEnd = { [weak self] in self?.connectionDidEnd(comeBackIn: .milliseconds(2)) }
  }

  private func connectionDidEnd(comeBackIn time: Duration) {
    client = nil
    isOnline = false
    loop.schedule(after: time) { [weak self] in
      guard let self, client == nil else { return }
      connect()
    }
  }

  private func take(_ event: Event?) {
    guard let event else { return faults.append("\(name) cannot read a line.") }
    switch event {
    case .hello where isStopped: client?.send(.quit)
    case .hello: logIn()
    case .didLogin(_, let token, let place):
      if self.token != nil, place != nil { tally.resumes += 1 }
      self.token = token
      isOnline = true
      hasForgotten = false
      guard !isStopped else { return send(.quit) }
      guard place != .playing else { return }
      followed = nil
      startAgain()
    case .match(let event): take(event)
    case .matchSnapshot(let snapshot):
      tally.snapshots += 1
      take { followed throws(FollowedMatch.Fault) in
        guard try followed?.take(snapshot) == nil else { return }
        followed = FollowedMatch(snapshot)
      }
      act()
    case .error(let code, _, let field, let retry): take(code, of: field, retry: retry)
    case .didQueue: isWaiting = true
    case .didCancel:
      isWaiting = false
      after(patience) { $0.startAgain() }
    case .bye, .invited, .invitationDidEnd: break
    default: faults.append("\(name) is told \(event).")
    }
  }

  private func logIn() {
    if let token {
      client?.send(.resume(token: token, seq: hasForgotten ? nil : followed?.seq))
    } else {
      client?.send(.login(name: name, password: nil))
    }
  }

  private func take(_ event: MatchEvent) {
    if case .boardDidChange = event.body { isMoving = false }
    if case .gameDidStart = event.body { isWaiting = false }
    if case .matchDidEnd = event.body {
      take { followed throws(FollowedMatch.Fault) in try followed?.take(event) }
      followed = nil
      return after(patience) { $0.startAgain() }
    }
    take { followed throws(FollowedMatch.Fault) in
      guard try followed?.take(event) == nil else { return }
      followed = try FollowedMatch(event)
      tally.matches += 1
    }
    act()
  }

  private func take(
    _ change: (inout FollowedMatch?) throws(FollowedMatch.Fault) -> Void
  ) {
    do throws(FollowedMatch.Fault) {
      try change(&followed)
    } catch {
      faults.append("\(name): \(error)")
    }
  }

  private func take(_ code: ErrorCode, of field: String?, retry: Duration?) {
    switch code {
    case .unknownToken:
      client?.send(.login(name: name, password: nil))
    case .nameTaken:
      // The server has not noticed yet that the old connection is gone.
      after(patience) { $0.logIn() }
    case .unknownPlayer, .inMatch, .full:
      after(patience) { $0.startAgain() }
    case .stale:
      tally.stale += 1
      isMoving = false
      act()
    case .tooFast:
      after(retry ?? .seconds(1)) {
        $0.isMoving = false
        $0.startAgain()
        $0.act()
      }
    case .alreadyWaiting: break
    // The opponent has given up in the meantime.
    case .noGame: isMoving = false
    // The opponent has left, or was given up, in the meantime.
    case .notInMatch where goesOn: isMoving = false
    default: faults.append("\(name) is refused: \(code).")
    }
  }

  private func startAgain() {
    guard isOnline, followed == nil else { return }
    guard mayStart() else { return after(patience) { $0.startAgain() } }
    send(.start(opponent: opponent, game: nil))
  }

  /// Does what the match waits for, if that is this player's to do.
  private func act() {
    guard let followed, !isMoving else { return }
    if followed.isOver {
      guard followed.gamesEnded < games else { return goesOn ? send(.leave) : () }
      guard mayStart() else { return after(patience) { $0.act() } }
      return send(.start(opponent: nil, game: nil))
    }
    guard followed.board.turn == followed.you else { return }
    isMoving = true
    let connections = tally.connections
    let longest = max(0, thinking.milliseconds)
    after(.milliseconds(longest == 0 ? 0 : Int.random(in: 0...longest, using: &random))) {
      // A connection that came in between has asked again.
      if $0.tally.connections == connections { $0.move() }
    }
  }

  private func move() {
    guard let followed, !followed.isOver, followed.board.turn == followed.you,
      let cell = followed.board.freeCells.randomElement(using: &random)
    else { return isMoving = false }
    tally.moves += 1
    send(.place(cell, seq: followed.seq))
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
