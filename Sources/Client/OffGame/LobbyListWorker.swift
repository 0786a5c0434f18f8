import Shared

/// Asks again and again who is here and what they play, as long as OffGame is there. Never asks
/// before the last answer has come.
final class PlayersWorker: Worker {
  static let interval: Duration = .seconds(2)

  private let starting: any Starting
  private let timers: any Timers
  private let source = EventSource<PlayerList>()
  private let matchSource = EventSource<MatchList>()
  private var last: PlayerList?
  private var lastMatches: MatchList?
  private var isAsking = false
  private var timer: LoopTimer?

  init(starting: any Starting, timers: any Timers) {
    self.starting = starting
    self.timers = timers
  }

  /// Who is here: the first answer, and each that is another than the last.
  var players: Stream<PlayerList> { source.stream }

  /// What there is to watch: likewise.
  var matches: Stream<MatchList> { matchSource.stream }

  override func didStart(_ interactorScope: any InteractorScope) {
    ask()
  }

  override func didStop() {
    timer?.cancel()
    timer = nil
  }

  private func ask() {
    timer = timers.schedule(after: Self.interval) { [weak self] in self?.ask() }
    guard !isAsking else { return }
    isAsking = true
    starting.listPlayers { [weak self] players in self?.didAnswer(players) }
  }

  private func didAnswer(_ players: PlayerList?) {
    guard timer != nil else {
      isAsking = false
      return
    }
    if let players, players != last {
      last = players
      source.send(players)
    }
    starting.listMatches { [weak self] matches in self?.didAnswer(matches) }
  }

  private func didAnswer(_ matches: MatchList?) {
    isAsking = false
    guard timer != nil, let matches, matches != lastMatches else { return }
    lastMatches = matches
    matchSource.send(matches)
  }
}
