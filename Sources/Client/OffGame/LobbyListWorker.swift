import RIBs
import Shared

/// Asks for the lists of players and matches every second while OffGame is active, or every four
/// seconds if they are long, and at once after `refresh`. It does not ask again before the last
/// reply has arrived. It also takes lists that the server sends without being asked.
final class LobbyListWorker: Worker {
  /// The time between two requests, long enough for a server whose whole lobby asks.
  static let interval: Duration = .seconds(1)
  static let intervalOfLongLists: Duration = .seconds(4)
  /// From this number of players on, or of matches, a list is long.
  static let longListCount = 100

  private let lobby: any GameLobby
  private let timers: any Timers
  private let playerSource = EventSource<PlayerList>()
  private let matchSource = EventSource<MatchList>()
  private var lastPlayers: PlayerList?
  private var lastMatches: MatchList?
  private var isAsking = false
  /// Whether the lists have changed since the worker asked.
  private var isStale = false
  private var timer: LoopTimer?

  init(lobby: any GameLobby, timers: any Timers) {
    self.lobby = lobby
    self.timers = timers
  }

  /// The first list of players, and each one that differs from the last.
  var players: Stream<PlayerList> { playerSource.stream }

  /// The first list of matches, and each one that differs from the last.
  var matches: Stream<MatchList> { matchSource.stream }

  override func didStart(_ interactorScope: any InteractorScope) {
    lobby.playerLists.subscribe { [weak self] in self?.show($0) }.disposeOnStop(self)
    lobby.matchLists.subscribe { [weak self] in self?.show($0) }.disposeOnStop(self)
    ask()
  }

  override func didStop() {
    timer?.cancel()
    timer = nil
  }

  /// Asks again, because somebody has come or gone.
  func refresh() {
    guard timer != nil else { return }
    if isAsking { isStale = true } else { ask() }
  }

  private func ask() {
    timer?.cancel()
    let isLong = max(lastPlayers?.total ?? 0, lastMatches?.total ?? 0) >= Self.longListCount
    timer = timers.schedule(after: isLong ? Self.intervalOfLongLists : Self.interval) {
      [weak self] in self?.ask()
    }
    guard !isAsking else { return }
    isAsking = true
    lobby.listPlayers { [weak self] result in self?.didAnswer(result) }
  }

  private func didAnswer(_ result: Result<PlayerList, RequestError>) {
    guard timer != nil else {
      isAsking = false
      return
    }
    if case .success(let players) = result { show(players) }
    lobby.listMatches { [weak self] result in self?.didAnswer(result) }
  }

  private func didAnswer(_ result: Result<MatchList, RequestError>) {
    isAsking = false
    guard timer != nil else { return }
    if case .success(let matches) = result { show(matches) }
    guard isStale else { return }
    isStale = false
    ask()
  }

  private func show(_ players: PlayerList) {
    guard players != lastPlayers else { return }
    lastPlayers = players
    playerSource.send(players)
  }

  private func show(_ matches: MatchList) {
    guard matches != lastMatches else { return }
    lastMatches = matches
    matchSource.send(matches)
  }
}
