import RIBs
import Shared

/// The root's calls to its router.
protocol RootRouting: Routing {
  func attachMatch(with setup: MatchSetup)
  /// Does nothing with a match that is not attached.
  func detachMatch(_ match: String)
}

/// The program's calls to the server's tree.
protocol ServerControl: AnyObject {
  /// Activates and loads the tree. It has no view to show.
  func launch()
  /// Takes up the matches of a store, before the server listens. All their players have lost their
  /// connections.
  func recover(_ matches: [StoredMatch])
  func accept(_ connection: any Connection)
  /// The lines for a client for which the process has no descriptor.
  var rejectionLines: [UInt8] { get }
  /// Why no game may begin now, as a sentence for people; `nil` if games may begin.
  var whyNotReady: String? { get }
  /// The number of current matches.
  var matchCount: Int { get }
  /// Takes up other settings, without a word to anybody. What has begun keeps the times with which
  /// it has begun: connections, invitations and matches.
  func apply(_ settings: ServerSettings)
  /// Lets no more games begin. Calls `didDrain` when no game runs, but no later than after a time,
  /// by default `ServerSettings.drain`. Everything else continues: lost players may resume. While
  /// the server drains, another call sets another time.
  func drain(within time: Duration?, _ didDrain: @escaping () -> Void)
  /// Lets games begin again. Returns false if the server does not drain.
  func endDrain() -> Bool
  /// Ends all matches, unless they are kept in a store, then says goodbye to all clients. May be
  /// called while the server drains.
  func shutDown()
}

/// The server: the lobby, and a match for each pair of players that it finds.
final class RootInteractor: Interactor, RootInteractable {
  weak var router: (any RootRouting)?
  let lobby: Lobby
  let matches: MatchRegistry
  let connections: ConnectionRegistry
  let random: RandomSource
  private let timers: any Timers
  /// Called with other settings, for what begins later.
  var onSettingsChange: (ServerSettings) -> Void = { _ in }
  private var settings: ServerSettings
  private let serverLog: ServerLog
  private let store: (any MatchStore)?
  private let others: any OtherServers
  private var state = State.serving
  var runningGames = 0

  private enum State {
    case serving
    /// Ends when the timer fires.
    case draining(LoopTimer, didDrain: () -> Void)
    case stopping
  }

  init(
    lobby: Lobby, connections: ConnectionRegistry, random: RandomSource, timers: any Timers,
    settings: ServerSettings, serverLog: ServerLog, store: (any MatchStore)?
  ) {
    self.store = store
    others = lobby.others
    self.lobby = lobby
    matches = lobby.matches
    self.connections = connections
    self.random = random
    self.timers = timers
    self.settings = settings
    self.serverLog = serverLog
  }

  override func didBecomeActive() {
    lobby.onPair = { [unowned self] players, game, level in
      router?.attachMatch(
        with: MatchSetup(id: freshID(), game: game, players: players, level: level))
    }
    others.host = self
  }

  /// Returns a short id that no other match has.
  private func freshID() -> String {
    if let store { return store.newMatchID() }
    var length = 4
    while true {
      let id = random.letters(length)
      guard matches[id] != nil else { return id }
      length += 1
    }
  }
}

extension RootInteractor: ServerControl {
  func launch() {
    activate()
    router?.load()
  }

  func recover(_ stored: [StoredMatch]) {
    var recovered: [any Match] = []
    for match in stored {
      let players = match.players.map { $0.flatMap(lobby.restore) }
      // Nobody else can have a name of the match, unless its journal is from elsewhere.
      guard (players.x == nil) == (match.players.x == nil),
        (players.o == nil) == (match.players.o == nil)
      else {
        for player in [players.x, players.o] { player.map(lobby.end) }
        continue
      }
      router?.attachMatch(
        with: MatchSetup(id: match.id, game: match.game, players: players, stored: match))
      if let match = matches[match.id] { recovered.append(match) }
    }
    for match in recovered { match.connectionsDidEnd() }
  }

  func accept(_ connection: any Connection) {
    connections.accept(connection)
  }

  var rejectionLines: [UInt8] { connections.rejectionLines }

  var whyNotReady: String? {
    switch state {
    case .draining: "The server is draining: it begins no more games."
    case .stopping: "The server is stopping."
    case .serving:
      others.whyNotReady
        ?? (matches.storeHasRoom
          ? nil : "The store is full. No game begins until there is room again.")
    }
  }

  var matchCount: Int { matches.count }

  func apply(_ settings: ServerSettings) {
    lobby.apply(settings)
    self.settings = settings
    matches.maxMatches = settings.maxMatches
    connections.apply(settings)
    onSettingsChange(settings)
  }

  func drain(within limit: Duration?, _ didDrain: @escaping () -> Void) {
    switch state {
    case .serving: break
    case .draining(let timer, _):
      guard limit != nil else { return }
      timer.cancel()
    case .stopping: return
    }
    lobby.isShuttingDown = true
    let limit = limit ?? settings.drain ?? .zero
    if limit > .zero { lobby.announceStop(within: limit) }
    let time = runningGames > 0 ? limit : .zero
    serverLog.log.write(
      .info, "draining", ["games": .number(runningGames), "atMostMs": .number(time.milliseconds)])
    finishDrain(after: time, didDrain)
  }

  private func finishDrain(after time: Duration, _ didDrain: @escaping () -> Void) {
    let timer = timers.schedule(after: time) { [weak self] in
      guard let self else { return }
      serverLog.log.write(.info, "drained", ["games": .number(runningGames)])
      didDrain()
    }
    state = .draining(timer, didDrain: didDrain)
  }

  /// Ends a drain when no game runs any more.
  func finishDrainIfIdle() {
    guard runningGames == 0, case .draining(let timer, let didDrain) = state else { return }
    timer.cancel()
    // Later in this turn, because the server is still replying to the command that ended the game.
    finishDrain(after: .zero, didDrain)
  }

  func endDrain() -> Bool {
    guard case .draining(let timer, _) = state else { return false }
    timer.cancel()
    state = .serving
    lobby.isShuttingDown = false
    lobby.withdrawStop()
    return true
  }

  func shutDown() {
    if case .draining(let timer, _) = state { timer.cancel() }
    state = .stopping
    serverLog.log.write(.info, "stopping", ["games": .number(runningGames)])
    guard store == nil else {
      lobby.keepsMatches = true
      var random = random
      connections.closeAll(
        with: .bye(
          .shutdown,
          retry: .milliseconds(Int.random(in: others.restartTime, using: &random))))
      return others.leave()
    }
    for match in matches.all { match.shutDown() }
    connections.closeAll(with: .bye(.shutdown))
  }
}

extension RootInteractor: LoggedInListener {
  func gameDidBegin(in match: String) {
    runningGames += 1
  }

  func gameDidEnd(in match: String) {
    runningGames -= 1
    finishDrainIfIdle()
  }

  func matchDidEnd(_ match: String, lost: [Session]) {
    router?.detachMatch(match)
    for session in lost { lobby.end(session) }
  }
}
