import Shared

/// What the root asks of its router.
protocol RootRouting: LaunchRouting {
  /// The running game; `nil` while there is none.
  var currentGame: (any GameRouting)? { get }
  /// `alert` is why somebody who was logged in has to do so again.
  func routeToLoggedOut(alert: String?)
  @discardableResult
  func routeToOffGame(
    as names: [String], after lastGame: LastGame?
  ) -> any OffGameActionableItem
  func routeToGame(_ game: Game, setup: GameSetup)
  /// Takes away whatever is on the screen.
  func cleanupViews()
}

/// What the root shows besides its children.
protocol RootPresentable: Presentable {
  var listener: (any RootPresentableListener)? { get set }
  /// What goes on around the match, at each change.
  func show(_ news: MatchNews)
  /// Something has happened, or a wish was refused, while a game is on the screen.
  func say(_ sentence: String)
}

/// What the root tells the program.
protocol RootListener: AnyObject {
  func rootDidFinish(_ farewell: Farewell)
}

/// The client: from the form to the lobby, from there into a game and back. Whether the games are
/// here or at a server, it does not know.
final class RootInteractor: PresentableInteractor<any RootPresentable>, RootInteractable {
  weak var router: (any RootRouting)?
  weak var listener: (any RootListener)?
  private let play: any Play
  private let workers: [any Working]
  private let firstWish: FirstWish?
  /// Whether somebody is there, who can go on where a wish of the command line is refused.
  private let isAttended: Bool
  private let logins = EventSource<Result<any OffGameActionableItem, any Error>>()
  /// How the last start went; `nil` as long as it goes on.
  private let start = CurrentValue<Result<Void, any Error>?>(nil)
  private var workflow: (any Cancellable)?
  private var names: [String] = []
  /// Of the game that runs, or ran last.
  private var setup: GameSetup?

  init(
    presenter: any RootPresentable, play: any Play, workers: [any Working],
    firstWish: FirstWish?, isAttended: Bool
  ) {
    self.play = play
    self.workers = workers
    self.firstWish = firstWish
    self.isAttended = isAttended
    super.init(presenter: presenter)
    presenter.listener = self
  }

  override func didBecomeActive() {
    play.listener = self
    for worker in workers { worker.start(self) }
    play.news.subscribe { [weak self] in self?.presenter.show($0) }
      .disposeOnDeactivate(interactor: self)
    play.notices.subscribe { [weak self] in self?.didNotice($0) }
      .disposeOnDeactivate(interactor: self)
    if let firstWish { begin(firstWish) }
    play.open()
  }

  private func begin(_ wish: FirstWish) {
    let workflow = StartWorkflow(wish)
    workflow.didFail = { [weak self] failure in
      // A person has read why, and goes on.
      guard let self, failure == .refused, !isAttended else { return }
      finish(because: nil)
    }
    self.workflow = workflow.subscribe(self)
  }

  /// What the command line wants cannot be had, and nobody is there to want something else.
  private func finish(because sentence: String?) {
    listener?.rootDidFinish(Farewell(code: .unavailable, sentence: sentence))
    play.quit()
  }

  override func willResignActive() {
    workflow?.cancel()
    router?.cleanupViews()
  }

  /// OffGame sees to it itself.
  private func didNotice(_ sentence: String) {
    if router?.currentGame != nil { presenter.say(sentence) }
  }
}

extension RootInteractor: PlayListener {
  func playDidOpen() {
    router?.routeToLoggedOut(alert: nil)
  }

  func play(didStart game: Game, setup: GameSetup) {
    self.setup = setup
    router?.routeToGame(game, setup: setup)
    start.send(.success(()))
  }

  func playDidNotStart(_ failure: FailedStart) {
    start.send(.failure(failure))
  }

  /// Where a game ran it has told its end before, or never will.
  func playDidEndMatch() {
    if router?.currentGame != nil { router?.routeToOffGame(as: names, after: nil) }
  }

  func playDidLogOut(_ reason: String) {
    start.send(.failure(FailedStart.closed))
    router?.routeToLoggedOut(alert: reason)
  }

  func playDidClose(_ farewell: Farewell) {
    router?.cleanupViews()
    logins.send(.failure(FailedStart.closed))
    start.send(.failure(FailedStart.closed))
    listener?.rootDidFinish(farewell)
  }
}

extension RootInteractor: LoggedOutListener {
  func didLogin(as names: [String]) {
    self.names = names
    guard let offGame = router?.routeToOffGame(as: names, after: nil) else { return }
    logins.send(.success(offGame))
  }

  func presetNameDidFail(_ sentence: String) {
    finish(because: sentence)
  }
}

extension RootInteractor: RootActionableItem {
  func waitForLogin() -> StepStream<any OffGameActionableItem, any RootActionableItem> {
    logins.stream.map { login in login.map { ($0, self) } }
  }

  func waitForGame() -> StepStream<any RootActionableItem, Void> {
    start.stream.compactMap { result in result?.map { (self, ()) } }
  }
}

extension RootInteractor: OffGameListener {
  func startGame(with game: GameInfo, against opponent: Opponent) {
    start.send(nil)
    play.start(game, against: opponent)
  }

  func cancelStart() {
    play.cancelStart()
  }

  func leaveMatch() {
    play.leaveMatch()
  }

  func listPlayers() {
    play.listPlayers()
  }

  func listMatches() {
    play.listMatches()
  }

  func watch(_ match: String) {
    start.send(nil)
    play.watch(match)
  }
}

extension RootInteractor: GameListener {
  private func lastGame(with outcome: Outcome) -> LastGame? {
    guard let board = router?.currentGame?.board, let setup else { return nil }
    return LastGame(
      players: setup.series.players, seat: setup.seat, board: board, outcome: outcome)
  }

  func gameDidEnd(with outcome: Outcome) {
    let lastGame = lastGame(with: outcome)
    play.gameDidEnd(with: outcome)
    router?.routeToOffGame(as: names, after: lastGame)
  }
}

extension RootInteractor: RootPresentableListener {
  func leaveGame() {
    guard let game = router?.currentGame else { return }
    game.end(.left, by: game.board.turn ?? .x)
  }

  func say(_ text: String) {
    play.say(text)
  }

  /// What the server still tells is of no use to anybody, so the screen is cleared first.
  func quit() {
    workflow?.cancel()
    router?.cleanupViews()
    play.quit()
  }

  func inputDidFail(_ sentence: String) {
    listener?.rootDidFinish(Farewell(code: .ioError, sentence: sentence))
  }
}

/// What a person can do wherever they are.
protocol RootPresentableListener: AnyObject {
  /// Leaves a running game.
  func leaveGame()
  /// Says something to all in the match.
  func say(_ text: String)
  func quit()
  /// What the person types cannot be read any more.
  func inputDidFail(_ sentence: String)
}
