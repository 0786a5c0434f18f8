import RIBs
import Shared

/// Replay's calls to its router.
protocol ReplayRouting: ViewableRouting {
  /// Shows a game of the stored match, in place of the last one.
  func routeToGame(_ game: Game, setup: GameSetup)
  func detachGame()
}

/// Replay's calls to its view.
protocol ReplayPresentable: Presentable {
  var listener: (any ReplayPresentableListener)? { get set }
  /// Whether this view shows the whole match at once, and the replay then ends.
  var showsAllAtOnce: Bool { get }
  /// Shows where the replay is; called at each change.
  func show(_ state: ReplayState)
  /// Shows the chat and who is away; called at each change.
  func show(_ news: MatchNews)
  /// Shows a sentence about the match; `nil` removes it.
  func say(_ sentence: String?)
}

/// The actions of a viewer.
protocol ReplayPresentableListener: AnyObject {
  func togglePause()
  /// Goes some steps forward or back, and pauses.
  func go(by steps: Int)
  /// Goes to the beginning of another game of the match.
  func go(byGames games: Int)
  /// Goes to a move by its number, and pauses.
  func go(toMove move: Int)
  func goToEnd()
  func changeSpeed(isFaster: Bool)
  func close()
}

/// Replay's calls to the root.
protocol ReplayListener: AnyObject {
  /// The viewer has left the replay. `damage` is a sentence if the stored match is damaged.
  func replayDidEnd(of match: String, damage: String?)
}

/// Shows a stored match: the third home of a game's seams. The player feeds the proxies of the
/// games, which cannot tell the store from a server. The viewer is a spectator.
final class ReplayInteractor: PresentableInteractor<any ReplayPresentable>, ReplayInteractable {
  weak var router: (any ReplayRouting)?
  weak var listener: (any ReplayListener)?
  private let player: ReplayPlayer
  private let games: (RemoteMatch) -> GameRegistry
  /// The index of the game with which the replay begins.
  private let firstGame: Int
  private var match: RemoteMatch?
  private var players: PerMark<Player>?
  private let subscriptions = CompositeCancellable()
  private var news: (any Cancellable)?

  init(
    presenter: any ReplayPresentable, player: ReplayPlayer,
    games: @escaping (RemoteMatch) -> GameRegistry, firstGame: Int = 0
  ) {
    self.firstGame = firstGame
    self.player = player
    self.games = games
    super.init(presenter: presenter)
    presenter.listener = self
    player.delegate = self
  }

  override func didBecomeActive() {
    player.begin(at: firstGame, isPaused: presenter.showsAllAtOnce)
    guard presenter.showsAllAtOnce else { return }
    player.goToEnd()
    close()
  }

  override func willResignActive() {
    player.stop()
    news?.cancel()
  }
}

extension ReplayInteractor: ReplayPlayerDelegate {
  func player(didRewindTo match: RemoteMatch) {
    router?.detachGame()
    presenter.say(nil)
    self.match = match
    match.delegate = self
    news?.cancel()
    news = match.news.stream.subscribe { [weak self] news in
      // The last messages stay when the match is over.
      if news.isInMatch { self?.presenter.show(news) }
    }
  }

  func playerDidChange(to state: ReplayState) {
    presenter.show(state)
  }
}

extension ReplayInteractor: RemoteMatchDelegate {
  func match(didStart state: GameState) {
    let series = Series(
      state.players.map { $0 == Player.botName ? .bot : .person($0) }, score: state.score)
    players = series.players
    presenter.say(nil)
    guard let match, let game = games(match)[state.game], game.info.shape == state.board.shape
    else {
      router?.detachGame()
      return presenter.say("This client cannot show the game \(state.game).")
    }
    router?.routeToGame(
      game, setup: GameSetup(series: series, seat: .none, board: state.board))
  }

  /// The board shows a line and a full board, and plain lines write every end.
  func match(didEndGame outcome: Outcome, score: Score) {
    guard let players, !presenter.showsAllAtOnce, ![.line, .full].contains(outcome.reason) else {
      return
    }
    presenter.say(outcome.sentence(players: players))
  }

  func match(didEnd reason: MatchEndReason, by mark: Mark?) {
    guard let players else { return }
    switch (reason, mark) {
    case (.left, let mark?): presenter.say("\(players[mark].name) has left the match.")
    case (.abandoned, let mark?): presenter.say("\(players[mark].name) did not come back.")
    case (.left, nil), (.abandoned, nil), (.shutdown, _): presenter.say("The match is over.")
    }
  }

  // Nobody sends commands, and nothing is lost between connections.
  func matchDidNotReply() {}
  func matchDidVanish() {}
}

/// The last board stays until the next game.
extension ReplayInteractor: GameListener {
  func gameDidEnd(with outcome: Outcome) {}
}

extension ReplayInteractor: ReplayPresentableListener {
  func togglePause() { player.togglePause() }
  func go(by steps: Int) { player.go(by: steps) }
  func go(byGames games: Int) { player.go(byGames: games) }
  func go(toMove move: Int) { player.go(toMove: move) }
  func goToEnd() { player.goToEnd() }
  func changeSpeed(isFaster: Bool) { player.changeSpeed(isFaster: isFaster) }

  func close() {
    listener?.replayDidEnd(of: player.state.match, damage: player.state.damage)
  }
}
