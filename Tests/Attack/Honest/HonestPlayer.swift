import Shared
import TestSupport

/// Plays game after game against one opponent in one match, and pings all the time. It checks that
/// each line follows from those before it.
final class HonestPlayer {
  private static let retryDelay = Duration.milliseconds(50)

  let name: String
  private let opponent: String
  private let address: LoopbackAddress
  private let context: HonestContext
  private var client: WireClient?
  private var pinger: Pinger?
  private var token: String?
  private var tracker: MatchTracker?
  /// When it began to connect; `nil` once it is logged in.
  private var connectingSince: Duration?
  private var isMeasured = false
  private var isQuitting = false

  /// `opponent` is a name; `bot` is the server's own player.
  init(
    _ name: String, against opponent: String, from address: LoopbackAddress,
    context: HonestContext
  ) {
    self.name = name
    self.opponent = opponent
    self.address = address
    self.context = context
    connect()
  }

  var isPlaying: Bool { tracker != nil }

  /// Whether a measured ping or login has no answer yet.
  var isWaiting: Bool { connectingSince != nil && isMeasured || pinger?.isWaiting ?? false }

  /// Stops pinging. Pings and logins without an answer count with the time until now.
  func giveUp() {
    pinger?.stop()
    noteLogin()
  }

  func quit() {
    isQuitting = true
    client?.send(.quit)
  }

  private func connect() {
    if connectingSince == nil {
      connectingSince = context.loop.now
      isMeasured = context.metrics.isMeasuring
    }
    let client = context.connect(from: address)
    self.client = client
    client.onEvent = { [weak self] event in self?.take(event) }
    client.onEnd = { [weak self] in self?.comeBack(because: "without a word") }
    after(Pinger.timeout) { [weak client] player in
      guard player.connectingSince != nil, let client, player.client === client else { return }
      player.comeBack(because: "no login for 10 s")
    }
  }

  /// Resumes on a new connection, like the project's client.
  private func comeBack(because reason: String) {
    guard !isQuitting else { return }
    context.metrics.wasClosed(reason)
    pinger?.stop()
    client?.cut(.end)
    client = nil
    after(Self.retryDelay) { $0.connect() }
  }

  private func take(_ event: Event?) {
    guard !isQuitting else { return }
    switch event {
    case .hello: logIn()
    case .didLogin(_, let token, let place, _): didLogIn(token, place)
    case .match(let event): take(event)
    case .matchSnapshot(let snapshot):
      tracker = MatchTracker(snapshot)
      act()
    case .pong: pinger?.didReceivePong()
    case .error(let code, _, _, _): take(code)
    case .bye(let code, _, _, _): comeBack(because: code.rawValue)
    case nil: context.metrics.didReceiveBadLine("\(name) cannot read a line")
    default: break
    }
  }

  private func logIn() {
    if let token {
      client?.send(.resume(token: token, seq: tracker?.seq))
    } else {
      client?.send(.login(name: name, password: nil))
    }
  }

  private func didLogIn(_ token: String?, _ place: SessionPlace?) {
    self.token = token
    noteLogin()
    if let client { pinger = Pinger(client, context: context) }
    pinger?.onSilence = { [weak self] in self?.comeBack(because: "no answer for 10 s") }
    guard place != .playing else { return }
    tracker = nil
    start()
  }

  private func noteLogin() {
    if let connectingSince, isMeasured {
      context.metrics.loginDidTake(context.loop.now - connectingSince)
    }
    connectingSince = nil
  }

  private func start() {
    guard connectingSince == nil, tracker == nil else { return }
    client?.send(.start(opponent: opponent, game: nil))
  }

  private func take(_ event: MatchEvent) {
    do throws(MatchTracker.TrackingError) {
      if tracker == nil { tracker = try MatchTracker(event) } else { try tracker?.take(event) }
    } catch {
      context.metrics.didReceiveBadLine("\(name): \(error)")
    }
    switch event.body {
    case .gameDidStart, .boardDidChange: act()
    case .gameDidEnd(let outcome, _):
      switch outcome.reason {
      case .line, .full: context.metrics.gameDidEnd()
      case .resigned, .timeout, .abandoned, .left:
        context.metrics.didLoseGame(outcome.reason.rawValue)
      }
      act()
    case .matchDidEnd(let reason, _, _):
      context.metrics.didLoseGame("match \(reason.rawValue)")
      tracker = nil
      after(Self.retryDelay) { $0.start() }
    case .didSay: context.metrics.didReceiveRemark(name)
    case .presenceDidChange: break
    }
  }

  private func take(_ code: ErrorCode) {
    switch code {
    // The opponent is not logged in yet, or has just asked as well.
    case .unknownPlayer where !context.metrics.isMeasuring, .inMatch, .alreadyWaiting:
      after(Self.retryDelay) { $0.start() }
    case .stale: act()
    case .unknownToken:
      context.metrics.wasRefused("resume")
      token = nil
      tracker = nil
      logIn()
    default:
      context.metrics.wasRefused(code.rawValue)
      after(.seconds(1)) { $0.connectingSince == nil ? $0.start() : $0.logIn() }
    }
  }

  /// Thinks, and then moves or asks for the next game if that is up to this player.
  private func act() {
    guard let seq = tracker?.seq else { return }
    after(.milliseconds(context.choose(50..<200))) { player in
      // Each event starts a thought of its own.
      guard let tracker = player.tracker, tracker.seq == seq else { return }
      if tracker.isOver { return player.send(.start(opponent: nil, game: nil)) }
      guard tracker.board.turn == tracker.you,
        let cell = player.context.choose(tracker.board.freeCells)
      else { return }
      player.send(.place(cell, seq: seq))
    }
  }

  private func send(_ command: Command) { client?.send(command) }

  private func after(_ time: Duration, _ action: @escaping (HonestPlayer) -> Void) {
    context.loop.schedule(after: time) { [weak self] in
      guard let self, !isQuitting else { return }
      action(self)
    }
  }
}
