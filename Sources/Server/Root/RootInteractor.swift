import Shared

/// What the root asks of its router, and the program of the root.
protocol RootRouting: Routing {
  /// Activates and loads the tree; it has no view to show.
  func launch()
  /// Takes a new connection in.
  func accept(_ connection: any Connection)
  /// What who comes is told where there is not even a descriptor for one more connection.
  var rejectionLines: [UInt8] { get }
  /// Begins no more games, and calls `didDrain` once no game runs, or when the time for that is over.
  /// Everything else goes on: who was lost can come back.
  func drain(_ didDrain: @escaping () -> Void)
  /// Ends all matches and says goodbye to everybody, also in the midst of draining.
  func shutDown()
  func hasMatch(_ match: String) -> Bool
  var matchCount: Int { get }
  /// The match of that id, as those who are in it see it.
  func match(_ id: String) -> (any Match)?
  func attachMatch(with setup: MatchSetup)
  func detachMatch(_ match: String)
  /// In the order in which they began.
  func matchSummaries(atMost count: Int) -> Page<MatchSummary>
  func shutDownMatches()
}

/// The server: the lobby, and a match for each pair that it finds.
final class RootInteractor: Interactor, RootInteractable {
  weak var router: (any RootRouting)?
  private let lobby: Lobby
  private let connections: ConnectionRegistry
  private let random: RandomSource
  private let timers: any Timers
  private let settings: ServerSettings
  private let serverLog: ServerLog
  private var state = State.serving
  private var runningGames = 0

  private enum State {
    case serving
    /// Until the timer fires.
    case draining(LoopTimer, didDrain: () -> Void)
    case stopping
  }

  init(
    lobby: Lobby, connections: ConnectionRegistry, random: RandomSource, timers: any Timers,
    settings: ServerSettings, serverLog: ServerLog
  ) {
    self.lobby = lobby
    self.connections = connections
    self.random = random
    self.timers = timers
    self.settings = settings
    self.serverLog = serverLog
  }

  override func didBecomeActive() {
    lobby.listener = self
  }

  func accept(_ connection: any Connection) {
    connections.accept(connection)
  }

  var rejectionLines: [UInt8] { connections.rejectionLines }

  func drain(_ didDrain: @escaping () -> Void) {
    guard case .serving = state else { return }
    lobby.isShuttingDown = true
    let time = runningGames > 0 ? settings.drain ?? .zero : .zero
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

  func shutDown() {
    if case .draining(let timer, _) = state { timer.cancel() }
    state = .stopping
    serverLog.log.write(.info, "stopping", ["games": .number(runningGames)])
    router?.shutDownMatches()
    connections.closeAll(with: .bye(.shutdown))
  }

  /// A short name that no other match has.
  private func freshID() -> String {
    var random = random
    var length = 4
    while true {
      var id = ""
      for _ in 0..<length {
        if let letter = Self.idLetters.randomElement(using: &random) { id.append(letter) }
      }
      guard router?.hasMatch(id) == true else { return id }
      length += 1
    }
  }

  /// Without those that are taken for one another.
  private static let idLetters = Array("abcdefghjkmnpqrstuvwxyz23456789")
}

extension RootInteractor: LobbyListener {
  func matches(atMost count: Int) -> Page<MatchSummary> {
    router?.matchSummaries(atMost: count) ?? Page([])
  }

  func match(_ id: String) -> (any Match)? { router?.match(id) }

  var hasRoom: Bool {
    guard let router, let maxMatches = settings.maxMatches else { return true }
    return router.matchCount < maxMatches
  }

  func lobbyDidPair(_ players: PerMark<Session?>, for game: Game) {
    router?.attachMatch(with: MatchSetup(id: freshID(), game: game, players: players))
  }
}

extension RootInteractor: LoggedInListener {
  func gameDidBegin(in match: String) {
    runningGames += 1
  }

  func gameDidEnd(in match: String) {
    runningGames -= 1
    guard runningGames == 0, case .draining(let timer, let didDrain) = state else { return }
    timer.cancel()
    // Later in this turn: who caused the end is still being answered.
    finishDrain(after: .zero, didDrain)
  }

  func matchDidEnd(_ match: String, without lost: [Session]) {
    router?.detachMatch(match)
    for session in lost { lobby.end(session) }
  }
}
